package script_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/safety"
	"serein.app/services/generation/internal/script"
)

// sensitive titles, some of them of two classes, with what must never be said to them.
var sensitive = []struct {
	title  string
	never  *regexp.Regexp
	spoken string
}{
	{"I was in a car crash", never(inside, strain, closed, playful), `stop|decide|choose|whenever you|your own time|if you|do not want|asks you|as often as you|as you like|[Gg]et up whenever|You can leave`},
	{"PTSD flashbacks", never(inside, strain, closed, playful), `stop|decide|choose|whenever you|your own time|if you|do not want|asks you|as often as you|as you like|[Gg]et up whenever|You can leave`},
	{"Bridge", never(inside, strain, closed, playful), `stop|decide|choose|whenever you|your own time|if you|do not want|asks you|as often as you|as you like|[Gg]et up whenever|You can leave`},
	{"My father died last week", never(playful, callers), ``},
	{"Lost my dog", never(playful, callers), ``},
	{"After a miscarriage", never(playful, callers, `try again|angel`), ``},
	{"I am pregnant and cannot sleep", never(supine, strain, callers, passing, `belly|pelvis`), `[Mm]ove|[Tt]urn over|Shift|change sides|do that instead`},
	{"I have cancer", never(strain, healthy), `[Aa]ny time|stop, do|Turn or sit up`},
	{"Mum has dementia", never(strain, healthy), ``},
	{"Anorexia", never(strain, healthy), ``},
	{"30 days sober", never(strain, healthy), ``},
	{"So depressed", never(strain, healthy, playful), ``},
	{"My back hurts", never(strain, healthy), `[Mm]ove|stand up|turn again|change it`},
	{"Pregnant, PTSD, my back hurts, and Mum died", never(inside, closed, playful, supine, callers), ``},
	{"Grief, and pregnant again", never(playful, supine, callers), ``},
	{"Infertility", never(inside, strain, closed, playful, kin, passing), ``},
	{"Another negative test", never(inside, strain, closed, playful, kin, passing), ``},
	{"Asthma", never(inside, strain, closed, breathing, passing), `[Hh]ands|[Ff]eet`},
	{"COPD and a long winter", never(inside, strain, closed, breathing, passing), `[Hh]ands|[Ff]eet`},
	{"panic attack on the tube", never(inside, strain, closed, breathing, passing), `[Hh]ands|[Ff]eet`},
	{"We broke up", never(playful, near, passing), ``},
	{"lonely at Christmas", never(playful, near, passing), ``},
	{"I am so ashamed", never(playful, healthy, passing), ``},
	{"Eviction notice", never(playful, plenty, passing), ``},
	{"My back hurts all day, every day", never(strain, healthy, passing, `flatter`), ``},
	{"Pregnant after the assault course", never(supine, callers), ``},
}

const (
	inside    = `chest|belly|throat|pelvis|\bhips?\b|spine|navel|\bheart\b|ribs|jaw|tongue|pulse|\bsweep\b|whole body|inside of you|sensation`
	strain    = `\btight\b|tightness|\bache|knot|\bclench|discomfort|hardness|tension|toothache|fist`
	closed    = `[Cc]lose your eyes|eyes close|eyelids|Behind them`
	playful   = `\bdogs?\b|\bcats?\b|laugh|applause|supper|prize|lentil`
	callers   = `nobody is going to call|from the kitchen|Nothing was being celebrated`
	supine    = `on your back|whole length|palms open|face down|\bflat\b|heels, your hips|waistband`
	kin       = `\bchild\b|\bchildren\b|\bbaby\b|\bborn\b|\bmother|\bfather|\bfamily|\bseeds?\b|sprout|\bbody\b`
	breathing = `\bbreaths?\b|\bbreathe\b|nostril`
	passing   = `will pass\b|will have an end|being rehearsed`
	near      = `\bfriends?\b|who love you|you loved|laugh with|not alone in`
	plenty    = `\brich\b|\bbread\b|more than I can count|\bgrateful\b`

	healthy = `mending|more right with you|healthy|kidneys|strength remembers`
)

func never(patterns ...string) *regexp.Regexp {
	return regexp.MustCompile("(?i)" + strings.Join(patterns, "|"))
}

// Numbers, quoting, what hurts and a way out are looked for in every type, practice and size, and in the
// affirmations.
func TestASensitiveTitleIsMetWithCareInEveryTypePracticeAndSize(t *testing.T) {
	t.Parallel()
	quoting := naming(t)
	for _, c := range sensitive {
		t.Run(c.title, func(t *testing.T) {
			t.Parallel()
			hurts := map[string]string{}
			everyScript(t, c.title, func(r script.Request, s recording.Script) {
				requireSound(t, r, s)
				text := strings.Join(sentences(s), " ")
				require.NotRegexp(t, quoting, text)
				require.NotContains(t, text, c.title)
				require.Regexp(t, c.spoken, text, "%s %s", r.TypeID, r.PracticeID)
				for _, sentence := range sentences(s) {
					if c.never.MatchString(sentence) {
						hurts[sentence] = r.TypeID + " " + r.PracticeID
					}
				}
			})
			require.Empty(t, hurts)
		})
	}
}

// naming matches each sentence that names what a title speaks of.
func naming(t *testing.T) *regexp.Regexp {
	t.Helper()
	named := []string{}
	for _, file := range []string{"arrive", "close"} {
		text, err := os.ReadFile(filepath.Join("words", "common", file+".txt"))
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			for _, name := range []string{"{subject}", "{moment}"} {
				if before, behind, ok := strings.Cut(strings.TrimSpace(line), name); ok {
					named = append(named, regexp.QuoteMeta(before)+".+"+regexp.QuoteMeta(behind))
				}
			}
		}
	}
	require.NotEmpty(t, named)
	return regexp.MustCompile(strings.Join(named, "|"))
}

// everyScript composes a title in every type, practice and size.
func everyScript(t *testing.T, title string, visit func(r script.Request, s recording.Script)) {
	t.Helper()
	for _, typeID := range types {
		for _, practiceID := range practices {
			for _, sizeID := range sizes {
				r := request(typeID, practiceID, sizeID)
				r.Title = title
				s, err := script.Compose(r)
				require.NoError(t, err, "%s: %s %s %s", title, typeID, practiceID, sizeID)
				visit(r, s)
			}
		}
	}
}

func TestATraumaKeepsItsEyesOpenAndLooksOutward(t *testing.T) {
	t.Parallel()
	outward := regexp.MustCompile(`room|hands?\b|feet|foot|floor|sounds?\b|[Ll]isten|eyes find|colour|corners|light|gaze|wall|door|[Ss]ee\b|[Ll]ook|within reach|your head`)
	everyScript(t, "PTSD flashbacks", func(r script.Request, s recording.Script) {
		out := 0
		for _, p := range s.Passages {
			if outward.MatchString(strings.Join(p.Sentences, " ")) {
				out++
			}
		}
		require.GreaterOrEqual(t, 4*out, len(s.Passages), "%s %s", r.TypeID, r.PracticeID)
	})
}

func TestNoScriptIsComposedOfACrisis(t *testing.T) {
	t.Parallel()
	r := request("stress-relief", "taoist", "minimed")
	for _, title := range []string{"I want to die", "I was assaulted last year", "sucidal"} {
		require.Equal(t, safety.Crisis, safety.Classify(title).Class)
		r.Title = title
		_, err := script.Compose(r)
		require.ErrorIs(t, err, script.ErrRequest)
		require.NotContains(t, err.Error(), title)
	}
}

// Titles are written in many shapes, and a class is met the same in all of them.
func TestAClassIsMetTheSameInEveryShapeOfTitle(t *testing.T) {
	t.Parallel()
	for _, title := range []string{
		"infertility", "INFERTILITY", "Infertility.", "infertility?", "on infertility", "my infertility and me", "Infertility, again", "a year of infertility", "infertiliy",
	} {
		require.Equal(t, safety.Infertility, safety.Classify(title).Class, title)
		r := request("loving-kindness", "taoist", "timeout")
		r.Title = title
		s, err := script.Compose(r)
		require.NoError(t, err)
		for _, sentence := range sentences(s) {
			require.NotRegexp(t, kin, sentence, title)
		}
	}
}

func TestAnAffirmationThatHurtsIsNotSaid(t *testing.T) {
	t.Parallel()
	for title, hurts := range map[string]map[string]string{
		"My father died last week": {"anxiety-relief": "This feeling will pass, as others have.", "gratitude": "I have been given more than I can count."},
		"Infertility":              {"stress-relief": "My body knows how to rest."},
		"Asthma":                   {"focus-concentration": "I can begin again with this breath."},
		"My back hurts":            {"resilience": "I can bend and not break."},
		"We broke up":              {"relationships": "I deserve love that is kind."},
	} {
		for typeID, sentence := range hurts {
			r := request(typeID, "zen", "minimed")
			r.Title = title
			s, err := script.Compose(r)
			require.NoError(t, err)
			require.Contains(t, r.Affirmations, sentence)
			require.NotContains(t, sentences(s), sentence, title)
		}
	}
}

// An affirmation that the words do not know, because the catalogue has a new one, is not said to a title that needs care.
func TestAnAffirmationThatNobodyHasJudgedIsNotSaidToATitleThatNeedsCare(t *testing.T) {
	t.Parallel()
	r := request("mindfulness", "zen", "minimed")
	r.Affirmations = []string{"Everything is wonderful.", "I am full of joy.", "My body is strong."}
	s, err := script.Compose(r)
	require.NoError(t, err)
	require.Subset(t, sentences(s), r.Affirmations)
	r.Title = "My father died last week"
	s, err = script.Compose(r)
	require.NoError(t, err)
	for _, affirmation := range r.Affirmations {
		require.NotContains(t, sentences(s), affirmation)
	}
}

func TestAnotherAnchorIsOfferedAtTheStartToABreathThatFrightens(t *testing.T) {
	t.Parallel()
	everyScript(t, "Asthma", func(r script.Request, s recording.Script) {
		require.Regexp(t, `[Hh]ands|[Ff]eet`, strings.Join(s.Passages[0].Sentences, " "), "%s %s", r.TypeID, r.PracticeID)
	})
}
