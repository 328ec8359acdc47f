package script

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A path as editors write it.
const aPath = `# for editors
only: seated waking

== begin
We start with the feet.
~ breaths 2
% body

== 2 feet
Feel the feet.
+ Both of them.
~ long

== 3 knees
Come to the knees.
@ waking

Rest at the knees.

== 1 crown
End at the crown.

== wander
You were away.

== deepen
Stay with all of it.`

func TestAPathKeepsItsStationsInTheOrderOfTheFileWithTheirRanks(t *testing.T) {
	t.Parallel()
	s, err := parse(aPath)
	require.NoError(t, err)
	require.NoError(t, s.isPath())
	require.Equal(t, []string{"seated", "waking"}, s.only)
	require.Equal(t, 2, s.stages["begin"][0].breaths)
	require.False(t, s.stages["begin"][0].long)
	names, ranks, blocks := []string{}, []int{}, []int{}
	for _, at := range s.stations {
		names, ranks, blocks = append(names, at.name), append(ranks, at.rank), append(blocks, len(at.blocks))
	}
	require.Equal(t, []string{"feet", "knees", "crown"}, names)
	require.Equal(t, []int{2, 3, 1}, ranks)
	require.Equal(t, []int{1, 2, 1}, blocks)
	require.True(t, s.stations[0].blocks[0].long)
}

func TestAThemeHasStrongAndWeakWords(t *testing.T) {
	t.Parallel()
	s, err := parse("words: exam, viva\nwords: quiz\nweak: test, school night\nimages: lamp\n== wander\nYou were away.\n== keep\nGo well.")
	require.NoError(t, err)
	require.Equal(t, []string{"exam", "viva", "quiz"}, s.keywords)
	require.Equal(t, []string{"test", "school night"}, s.weak)
	require.Len(t, s.stages["keep"], 1)
}

func TestMalformedWordsAreRefusedWithTheirLine(t *testing.T) {
	t.Parallel()
	for text, where := range map[string]string{
		"words before a stage":                                    "line 1",
		"mood: gay\n== stage\nA line.":                            "line 1",
		"== stage\nA line.\nonly: seated":                         "line 3",
		"== stage\nA line.\n~ short":                              "line 3",
		"== stage\nA line.\n~ breaths 0":                          "line 3",
		"== stage\nA line.\n~ breaths 4":                          "line 3",
		"== stage\nA line.\n~ breaths two":                        "line 3",
		"== stage\nA line.\n~ long\n~ breaths 1":                  "line 4",
		"== stage\nA line.\n! counting":                           "line 3",
		"== stage\nA line.\n> quoted":                             "line 3",
		"== stage\nA line.\n\n@ waking\n":                         "line 5",
		"==\nA line.":                                             "line 1",
		"== 1 feet\nFeel.\n== 1 knees\nFeel.":                     "line 3",
		"== 1 feet\nFeel.\n== 3 knees\nFeel.":                     "line 3",
		"== 0 feet\nFeel.":                                        "line 1",
		"== 13 feet\nFeel.":                                       "line 1",
		"== 2nd feet\nFeel.":                                      "line 1",
		"== 1\nFeel.":                                             "line 1",
		"== affirm\nI am.\nI may.\n\nI am here.\nI may.\nI will.": "line 4",
		"== affirm\nI am.\nI may.\nI can.\nI will.":               "line 6",
	} {
		_, err := parse(text)
		require.ErrorContains(t, err, where+":", text)
	}
}

func TestAPathNeedsEachOfItsStages(t *testing.T) {
	t.Parallel()
	for _, stage := range []string{"== begin", "== wander", "== deepen"} {
		s, err := parse(strings.Replace(aPath, stage, "== other", 1))
		require.NoError(t, err)
		require.Error(t, s.isPath(), stage)
	}
	s, err := parse("== begin\nA.\n== wander\nB.\n== deepen\nC.")
	require.NoError(t, err)
	require.Error(t, s.isPath())
}

func TestComparisonsAreFound(t *testing.T) {
	t.Parallel()
	for text, is := range map[string]bool{
		"Let your gaze settle there like dust.":                    true,
		"Like a dog coming out of a pond.":                         true,
		"Do this as if it were new.":                               true,
		"Spread, as though there were time.":                       true,
		"Sit upright, the way you sit for music.":                  true,
		"Rest, as a stone does.":                                   true,
		"It is as faithful as a bicycle leaned against a wall.":    true,
		"Wait, as you would wait for a friend.":                    true,
		"Do as you like.":                                          false,
		"Hold it like a bird.":                                     true,
		"Let it go on without you, like a quarrel.":                true,
		"Sit as you like, a cushion behind you.":                   false,
		"Lie down in the way your back likes best.":                false,
		"Stay here if you like, or go on.":                         false,
		"You can move if it would like you to.":                    false,
		"Do it as often as you like.":                              false,
		"As a beginning, feel the floor.":                          false,
		"Find the door, and the way out of it.":                    false,
		"Count as far as ten.":                                     false,
		"Something like this is enough.":                           false,
		"Let it be what the body would like.":                      false,
		"This is the way that leads home, and it is the same way.": false,
	} {
		require.Equal(t, is, simile(text), text)
	}
}
