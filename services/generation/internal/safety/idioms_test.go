package safety

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// frames hold an idiom in a sentence of crisis, %s being the idiom.
var frames = []string{
	"I want to kill myself, %s", "%s and then I want to die", "%s but I dont want to live anymore", "he raped me %s", "cutting myself with a knife %s",
	"%s and I cut myself on purpose", "I hurt myself again %s", "my husband hits me with a belt %s", "%s before my suicide", "end it with pills %s",
	"tired of living in this world %s", "%s then took an overdose of pills",
}

func TestNoIdiomHidesACrisis(t *testing.T) {
	t.Parallel()
	words := map[int]string{}
	r := rules()
	for word, sets := range r.whole {
		for _, set := range sets {
			if words[set] == "" || word < words[set] {
				words[set] = word
			}
		}
	}
	for word, sets := range r.stems {
		for _, set := range sets {
			if words[set] == "" {
				words[set] = word
			}
		}
	}
	idioms := slices.Concat(r.idioms[everyClass], r.idioms[Crisis], r.idioms[violence], r.idioms[Illness], r.idioms[Heavy], r.names)
	require.NotEmpty(t, r.idioms[violence])
	for _, idiom := range idioms {
		said := make([]string, 0, len(idiom.items))
		for _, it := range idiom.items {
			if word := words[it.set]; word != start && word != end {
				said = append(said, word)
			}
		}
		for _, frame := range frames {
			title := strings.ReplaceAll(frame, "%s", strings.Join(said, " "))
			require.Equal(t, Crisis, Classify(title).Class, "line %d: %s", idiom.line, title)
		}
	}
}

func TestAWordOfDangerBesideAnIdiomTakesItsCoverAway(t *testing.T) {
	t.Parallel()
	for title, class := range map[string]Class{
		"overdosed on cake": Ordinary, "overdosed on cake and pills": Crisis, "I dont want to live in london": Ordinary,
		"I dont want to live in london anymore or ever": Crisis, "beaten at chess": Ordinary,
	} {
		require.Equal(t, class, Classify(title).Class, title)
	}
}

func TestTalkOfHolidaysHeatAndPaperworkIsNoCrisis(t *testing.T) {
	t.Parallel()
	for _, title := range []string{
		"Can't go on Saturday", "Can't do mornings anymore", "I can't take this heat anymore", "I can't cope with the noise anymore", "Worthless meeting",
		"I can't keep doing overtime", "I want to disappear to the seaside", "I want out of this contract", "Tired of life admin", "Make it stop raining",
		"Nobody cares about my spreadsheet",
	} {
		require.Equal(t, Ordinary, Classify(title).Class, title)
		require.Equal(t, Crisis, Classify(title+" and I want to die").Class, title)
	}
	for _, title := range []string{"Can't go on", "I can't do this anymore", "I feel worthless", "I want to disappear", "Nobody cares about me", "I want out"} {
		require.Equal(t, Crisis, Classify(title).Class, title)
	}
}

func TestANameIsTheWholeTitle(t *testing.T) {
	t.Parallel()
	require.Equal(t, Ordinary, Classify("Suicide Squad movie night").Class)
	require.Equal(t, Crisis, Classify("Suicide Squad movie night, then my suicide").Class)
	_, err := parse("== name\nsuicide squad")
	require.Error(t, err)
}

func TestAllWordsOfALongTitleAreRead(t *testing.T) {
	t.Parallel()
	require.Equal(t, Crisis, Classify(strings.Repeat("ab ", 650)+"I want to die").Class)
	require.Equal(t, Crisis, Classify("I want to die "+strings.Repeat("ab ", 650)).Class)
}

func TestSpellingHidesNothing(t *testing.T) {
	t.Parallel()
	for _, title := range []string{
		"killmyself", "#killmyself", "iwanttodie", "i want todie", "i want to d ie", "endmy life", "su icide", "k i l l m y s e l f", "w a n t t o d i e",
		"ᴋɪʟʟ ᴍʏsᴇʟꜰ", "ꜱᴜɪᴄɪᴅᴇ", "🅺🅸🅻🅻 🅼🆈🆂🅴🅻🅵", "ѕυιcι∂є", "wαnt tσ dιє", "i ωant to die", "suɩcide", "ꓢuicide", "kiII myself", "ki11 myself",
		"ki||ing myself", "k¡ll myself", "r*ped", "kill🖤myself", "i want to 💀", "i no longer want to live", "i qant to die", "kill mysrlf",
	} {
		require.Equal(t, Crisis, Classify(title).Class, title)
	}
	for _, title := range []string{"Spend my life well", "I want to diet", "Therapist appointment", "Rap Ed Sheeran", "9am run", "Send my life story"} {
		require.Equal(t, Ordinary, Classify(title).Class, title)
	}
	for _, title := range []string{"Skull and crossbones 💀", "Knife skills 🔪"} {
		require.Equal(t, Heavy, Classify(title).Class, title)
	}
}
