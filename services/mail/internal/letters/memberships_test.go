package letters_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/mail/internal/letters"
)

// everySample is each sample's words, by its name.
func everySample(t *testing.T) map[string]letters.Content {
	t.Helper()
	all := map[string]letters.Content{}
	for _, s := range letters.Samples() {
		all[s.Name] = compose(t, s.Letter)
	}
	return all
}

// The specified promises of a cancellation, word for word where they count.
func TestACancellationPromisesTheRestOfThePeriodAndABasicAccount(t *testing.T) {
	t.Parallel()
	content := everySample(t)["cancellation"]
	for _, said := range []string{
		"until the end of the billing period, Monday 2 November 2026", "you keep a basic account",
		"If you get our marketing emails, they’ll carry on", "https://serein.example/members",
	} {
		require.Contains(t, content.Text, said)
		require.Contains(t, content.HTML, said)
	}
}

func TestEachLetterOfAFailedPaymentSaysUntilWhenAndThatNothingIsDeleted(t *testing.T) {
	t.Parallel()
	all, subjects := everySample(t), map[string]bool{}
	for _, name := range []string{"payment_failed_first", "payment_failed_second", "payment_failed_last"} {
		content := all[name]
		subjects[content.Subject] = true
		for _, said := range []string{"Wednesday 4 November 2026", "£7.99", "we won’t delete anything", "https://serein.example/members"} {
			require.Contains(t, content.Text, said, name)
			require.Contains(t, content.HTML, said, name)
		}
	}
	require.Len(t, subjects, 3, "three letters and not one three times")
	require.Contains(t, all["payment_failed_first"].Text, "We’ll try again on Saturday 24 October 2026")
	require.NotContains(t, all["payment_failed_second"].Text, "try again", "it is not")
}

func TestOnlyLettersThatPeopleMayDoWithoutCarryALinkThatEndsThem(t *testing.T) {
	t.Parallel()
	const address = "https://serein.example/unsubscribe/token"
	for _, s := range letters.Samples() {
		content, kind := compose(t, s.Letter), s.Letter.Template.Kind()
		require.Equal(t, kind != "", content.Unsubscribe == address, s.Name)
		require.Equal(t, kind != "", strings.Contains(content.Text, "Unsubscribe from emails like this: "+address), s.Name)
		require.Equal(t, kind != "", strings.Contains(content.HTML, `href="`+address+`"`), s.Name)
	}
}

func TestALetterGoesOnlyWithThePartThatItTellsOf(t *testing.T) {
	t.Parallel()
	for _, s := range letters.Samples() {
		for _, other := range letters.Samples() {
			l := s.Letter
			l.Data.Writer, l.Data.Order, l.Data.Refund = other.Letter.Data.Writer, other.Letter.Data.Order, other.Letter.Data.Refund
			l.Data.Membership, l.Data.Invite, l.Data.Written = other.Letter.Data.Membership, other.Letter.Data.Invite, other.Letter.Data.Written
			same := (s.Letter.Data.Writer != nil) == (l.Data.Writer != nil) && (s.Letter.Data.Order != nil) == (l.Data.Order != nil) &&
				(s.Letter.Data.Refund != nil) == (l.Data.Refund != nil) && (s.Letter.Data.Membership != nil) == (l.Data.Membership != nil) &&
				(s.Letter.Data.Invite != nil) == (l.Data.Invite != nil) && (s.Letter.Data.Written != nil) == (l.Data.Written != nil)
			require.Equal(t, same, l.Check() == nil, "%s with what %s tells", s.Name, other.Name)
		}
	}
}

// A credit is a meditation of any length with voice only; music and the sounds of an immersive one cost a second.
func TestOneCreditIsSaidToBeEnoughForAMeditationWithVoiceOnly(t *testing.T) {
	t.Parallel()
	content := everySample(t)["low_balance"]
	for _, body := range []string{content.Text, content.HTML} {
		require.Contains(t, body, "You have 1 credit left. That’s enough for a voice-only meditation, but not for an immersive one.")
		require.NotContains(t, body, "shorter")
	}
}

// What stops where is a rule of this house: see Stops.
func TestABounceStopsAllButCodesAndAComplaintWhatNobodyIsOwed(t *testing.T) {
	t.Parallel()
	for _, template := range letters.Templates {
		ours := template == letters.Contact || template == letters.TrialStarted || template == letters.ApparelOrder
		require.Equal(t, !template.HasCode() && !ours, letters.Bounce.Stops(template), template)
		unowed := template.Kind() != "" || template == letters.Welcome || template == letters.Free
		require.Equal(t, unowed, letters.Complaint.Stops(template), template)
		require.False(t, letters.Suppression("").Stops(template))
	}
}

var (
	lightStyle = regexp.MustCompile(`class="([a-z ]+)"[^>]*style="([^"]*)"`)
	hexColour  = regexp.MustCompile(`#[0-9a-f]{6}`)
)

// Mail programs show letters in dark colours of their own choice or of ours: both must be read.
func TestLettersAreReadInLightDarkAndInvertedColours(t *testing.T) {
	t.Parallel()
	light := map[string][2]string{ // what is written on what
		"ink": {"#1f2a2c", "#fffdf9"}, "quiet": {"#4c5a5b", "#fffdf9"}, "footer": {"#5c6768", "#f8f5ef"}, "tint": {"#1f2a2c", "#dce9e4"},
		"pine": {"#2e6360", "#fffdf9"}, "pine on tint": {"#2e6360", "#dce9e4"}, "button": {"#ffffff", "#2e6360"},
	}
	dark := map[string][2]string{
		"ink": {"#ece8df", "#172225"}, "quiet": {"#b4bdba", "#172225"}, "footer": {"#b4bdba", "#10191b"}, "tint": {"#ece8df", "#1d3634"},
		"pine": {"#8cc7bc", "#172225"}, "pine on tint": {"#8cc7bc", "#1d3634"}, "button": {"#0d1f1e", "#8cc7bc"},
	}
	known := map[string]bool{"#ddd6c8": true, "#2b383b": true} // lines around what is written
	for scheme, pairs := range map[string]map[string][2]string{"light": light, "dark": dark} {
		for what, p := range pairs {
			known[p[0]], known[p[1]] = true, true
			require.GreaterOrEqual(t, contrast(p[0], p[1]), 4.5, "%s in %s colours", what, scheme)
			require.GreaterOrEqual(t, contrast(inverted(p[0]), inverted(p[1])), 4.5, "%s in %s colours turned over", what, scheme)
		}
	}
	for name, content := range everySample(t) {
		require.Contains(t, content.HTML, `<meta name="color-scheme" content="light dark">`)
		require.Contains(t, content.HTML, `<meta name="supported-color-schemes" content="light dark">`)
		for _, colour := range hexColour.FindAllString(content.HTML, -1) {
			require.True(t, known[colour], "%s has the colour %s, of which nobody knows whether it is read", name, colour)
		}
		for _, tag := range regexp.MustCompile(`<[^>]*style="[^"]*#[0-9a-f]{6}[^>]*>`).FindAllString(content.HTML, -1) {
			require.Regexp(t, lightStyle, tag, "%s: a colour without a class stays light in the dark", name)
		}
	}
}

func inverted(colour string) string {
	n, _ := strconv.ParseUint(colour[1:], 16, 32)
	return "#" + strconv.FormatUint(0x1000000+(0xffffff-n), 16)[1:]
}

// contrast of two colours, as WCAG 2 has it.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func luminance(colour string) float64 {
	n, _ := strconv.ParseUint(colour[1:], 16, 32)
	part := func(shift uint) float64 {
		c := float64(n>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}

func TestALetterAboutTheLastCreditDoesNotSayThatSomeAreLeft(t *testing.T) {
	t.Parallel()
	all := everySample(t)
	require.Equal(t, "Your credits are nearly spent", all["low_balance"].Subject)
	require.Equal(t, "Your credits are spent", all["low_balance_spent"].Subject)
}
