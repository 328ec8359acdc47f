package script

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// withTheme gives the theme of work as many blocks as an editor may write, and answers the sheet.
func withTheme(lib *library) *sheet {
	theme := lib.themes["work"]
	for stage, texts := range map[string][]string{
		"open": {"Work is over for a while."}, "turn": {"A desk is a desk.", "Somebody else has the keys.", "The list can wait for you.", "You are more than a name on a door."},
		"wander": {"You were back at the desk, and now you are not."}, "keep": {"Close the door of work behind you."},
	} {
		theme.stages[stage] = nil
		for _, text := range texts {
			theme.stages[stage] = append(theme.stages[stage], &block{lines: []line{newLine(text, false)}})
		}
	}
	return theme
}

// The title's theme is spoken of more the longer a script is.
func TestATitlesThemeGoesThroughTheWholeScript(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	theme := "themes/" + withTheme(lib).id + "/"
	for i, want := range []map[string]int{
		{"open": 1, "turn": 1, "wander": 0, "keep": 1}, {"open": 1, "turn": 2, "wander": 1, "keep": 1}, {"open": 1, "turn": 3, "wander": 1, "keep": 1},
	} {
		for seed := range uint64(10) {
			r := ask(shapes[i], "gratitude", "mbsr", "After the long meeting", seed)
			counts := map[string]int{}
			from := places(lib, drafted(t, lib, r))
			for _, where := range from {
				stage, of := strings.CutPrefix(where, theme)
				if of {
					counts[stage]++
				}
			}
			for stage, n := range want {
				require.Equal(t, n, counts[stage], "%s %s", r.SizeID, stage)
			}
			require.Equal(t, theme+"keep", from[len(from)-1])
			_, err := lib.compose(r)
			require.NoError(t, err)
		}
	}
}

func TestAThemeWithLessIsSpokenOfLess(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	theme := withTheme(lib)
	theme.stages["turn"] = theme.stages["turn"][:1]
	theme.stages["keep"], theme.stages["wander"] = nil, nil
	s, err := lib.compose(ask(shapes[2], "gratitude", "mbsr", "After the long meeting", 1))
	require.NoError(t, err)
	require.Contains(t, spoken(s), "A desk is a desk.")
	require.Len(t, s.Passages, 28)
}

func TestTwoThemesHaveTheTurnsInTurn(t *testing.T) {
	t.Parallel()
	first, second := &sheet{id: "a", stages: map[string][]*block{}}, &sheet{id: "b", stages: map[string][]*block{}}
	for _, theme := range []*sheet{first, second} {
		for _, text := range []string{" one.", " two."} {
			theme.stages["turn"] = append(theme.stages["turn"], &block{lines: []line{newLine(theme.id+text, false)}})
		}
	}
	d := &draft{scene: scene{themes: []*sheet{first, second}}}
	require.Equal(t, []*sheet{first, second, first}, d.themeTurns(3))
	second.stages["turn"] = nil
	require.Equal(t, []*sheet{first, first}, d.themeTurns(3))
	require.Equal(t, []*sheet{first}, d.themeTurns(1))
}

// At night, and of sleep at any hour, nobody speaks of the day's work.
func TestTheNightIsSparedWhatIsBusy(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	for _, b := range lib.types["better-sleep"].stages["turn"][1:] {
		b.kinds = append(b.kinds, busy)
	}
	for _, c := range []struct {
		typeID, title string
		spared        bool
	}{
		{"better-sleep", "Zebras", true}, {"anger", "Can't sleep", true}, {"focus-concentration", "Can't sleep", true}, {"anger", "Zebras", false},
	} {
		d := drafted(t, lib, ask(shapes[0], c.typeID, "zen", c.title, 1))
		require.Equal(t, c.spared, !d.scene.holds(&block{kinds: []string{busy}}), "%s %s", c.typeID, c.title)
	}
}
