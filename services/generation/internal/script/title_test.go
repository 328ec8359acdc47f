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
		"open": {"Work is over for a while."}, "turn": {"A desk is a desk.", "Somebody else has the keys.", "The list can wait for you.", "You are more than a name on a door.", "A meeting has an end.", "The stairs go down as well.", "Chairs are for sitting on."},
		"wander": {"You were back at the desk, and now you are not."}, "keep": {"Close the door of work behind you."},
	} {
		theme.stages[stage] = nil
		for _, text := range texts {
			theme.stages[stage] = append(theme.stages[stage], &block{lines: []line{newLine(text, false)}})
		}
	}
	for i, text := range []string{
		"Nobody sits at it now, and the pens that live there can roll wherever they please until somebody wants them.",
		"They hang on their hook beside the others, and the doors they open stay shut without any help from you.",
		"Half of what stands on it was put there by other people, and not all of that was ever urgent.",
		"Those letters are taken down when one leaves, and the people who read them go on having a face and a kettle.",
		"Chairs scrape, cups are carried out, somebody wipes the board, and the last word said was not the most important.",
		"You have climbed them often enough with both arms full to know how light the way to the street can be.",
		"Take yours by the window, and let the spreadsheets do whatever spreadsheets do when the lamps have been put out.",
	} {
		turn := theme.stages["turn"][i]
		turn.lines = append(turn.lines, newLine(text, false))
	}
	theme.terse = theme.isTerse()
	return theme
}

// The title's theme is spoken of more the longer a script is.
func TestATitlesThemeGoesThroughTheWholeScript(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	theme := "themes/" + withTheme(lib).id + "/"
	for i, want := range []map[string]int{
		{"open": 1, "turn": 1, "wander": 1, "keep": 1}, {"open": 1, "turn": 3, "wander": 1, "keep": 1}, {"open": 1, "turn": 6, "wander": 1, "keep": 1},
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

// A member who makes the same meditation day after day hears what is new about the type, not the theme's few turns again.
func TestATurnThatTheMemberKnowsGivesWay(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	theme := withTheme(lib)
	r := ask(shapes[2], "gratitude", "mbsr", "After the long meeting", 1)
	for _, b := range theme.stages["turn"] {
		r.Past = append(r.Past, texts(b.lines))
	}
	themes, own := 0, 0
	for _, where := range places(lib, drafted(t, lib, r)) {
		themes += one(where == "themes/work/turn")
		own += one(where == "types/gratitude/turn")
	}
	require.Equal(t, 1, themes)
	require.Greater(t, own, 1)
}

func TestAThemeWithLessIsSpokenOfLess(t *testing.T) {
	t.Parallel()
	lib := fresh(t)
	theme := withTheme(lib)
	theme.stages["turn"] = theme.stages["turn"][:1]
	theme.terse = theme.isTerse()
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
