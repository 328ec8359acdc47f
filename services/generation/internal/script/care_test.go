package script_test

import (
	"regexp"
	"slices"
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
	{"I was in a car crash", never(inside, strain, closed, playful), `stop|decide|choose|whenever you|your own time|if you|do not want|asks you|as often as you|as you like`},
	{"PTSD flashbacks", never(inside, strain, closed, playful), `stop|decide|choose|whenever you|your own time|if you|do not want|asks you|as often as you|as you like`},
	{"Looking at the pills again", never(inside, strain, closed, playful), `stop|decide|choose|whenever you|your own time|if you|do not want|asks you|as often as you|as you like`},
	{"Bridge", never(inside, strain, closed, playful), `stop|decide|choose|whenever you|your own time|if you|do not want|asks you|as often as you|as you like`},
	{"My father died last week", never(playful, callers), ``},
	{"Lost my dog", never(playful, callers), ``},
	{"After a miscarriage", never(playful, callers, `try again|angel`), ``},
	{"I am pregnant and cannot sleep", never(supine, strain, callers, `belly|pelvis`), `[Mm]ove|[Tt]urn over|Shift|change sides|do that instead`},
	{"I have cancer", never(strain, healthy), `[Aa]ny time|stop, do|Turn or sit up`},
	{"Mum has dementia", never(strain, healthy), ``},
	{"Anorexia", never(strain, healthy), ``},
	{"30 days sober", never(strain, healthy), ``},
	{"So depressed", never(strain, healthy, playful), ``},
	{"My back hurts", never(strain, healthy), `[Mm]ove|stand up|turn again|change it`},
	{"Pregnant, PTSD, my back hurts, and Mum died", never(inside, closed, playful, supine, callers), ``},
	{"Grief, and pregnant again", never(playful, supine, callers), ``},
	{"Pregnant after the assault course", never(supine, callers), ``},
}

const (
	inside  = `chest|belly|throat|pelvis|\bhips?\b|spine|navel|\bheart\b|ribs|jaw|tongue|pulse|Sweep|whole body|inside of you|sensation`
	strain  = `\btight\b|tightness|\bache|knot|\bclench|discomfort|hardness|tension|toothache|fist`
	closed  = `[Cc]lose your eyes|eyes close|eyelids|Behind them`
	playful = `\bdogs?\b|\bcats?\b|laugh|applause|supper|prize|lentil`
	callers = `nobody is going to call|kitchen|Nothing was being celebrated`
	supine  = `on your back|whole length|palms open|face down|\bflat\b|heels, your hips|waistband`
	healthy = `mending|more right with you|healthy|kidneys|strength remembers`
)

func never(patterns ...string) *regexp.Regexp { return regexp.MustCompile(strings.Join(patterns, "|")) }

// Numbers, quoting, what hurts and a way out are looked for in every type, practice and size. The
// affirmations are the catalogue's own, so they are left out.
func TestASensitiveTitleIsMetWithCareInEveryTypePracticeAndSize(t *testing.T) {
	t.Parallel()
	quoting := regexp.MustCompile(`: [A-Z]|You called this|your words|those words|The name you chose`)
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
					if !slices.Contains(r.Affirmations, sentence) && c.never.MatchString(sentence) {
						hurts[sentence] = r.TypeID + " " + r.PracticeID
					}
				}
			})
			require.Empty(t, hurts)
		})
	}
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
