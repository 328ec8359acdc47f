package page

import (
	"html/template"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"google.golang.org/protobuf/types/known/timestamppb"

	"serein.app/services/platform/money"
)

// twins are what a template computes of an answer, each as the app's function of that name does (frontend/src/twins.ts). Both
// have to say the same, or the app could not take the markup over: frontend/src/twins.json has what they say.
var twins = template.FuncMap{
	"clean":     func(s string) template.HTML { return template.HTML(s) }, //nolint:gosec // cleaned by content
	"count":     count,
	"date":      func(t *timestamppb.Timestamp) string { return t.AsTime().UTC().Format(time.DateOnly) },
	"day":       func(t *timestamppb.Timestamp) string { return t.AsTime().UTC().Format("2 January 2006") },
	"helpline":  helpline,
	"listening": func(seconds int32) int32 { return max(1, (seconds+30)/60) },
	"minutes":   func(words int32) int32 { return max(1, (words+wordsAMinute/2)/wordsAMinute) },
	"money":     words,
	"rows":      rows,
	"version":   versionDay,
}

// wordsAMinute is how fast people read.
const wordsAMinute = 200

// rows says how so many things stand: three beside each other where that leaves none alone, else with two wide ones first. It stands in the
// markup, before the first of them is drawn: a browser that reads a page piece by piece must not count them itself.
func rows(things int) string {
	if things%3 == 0 {
		return "thirds"
	}
	return "lead"
}

// helpline says whether a text names the helpline that ours name: the app shows the quick way out beside it.
func helpline(html string) bool { return strings.Contains(html, "116 123") }

// words are an amount's; that of nothing is zero.
func words(m interface {
	GetAmount() int64
	GetCurrency() string
},
) string {
	return money.Format(m.GetAmount(), m.GetCurrency())
}

// count is a number with its word, "1 article" or "1,204 articles".
func count(n int32, one, many string) string {
	word := many
	if n == 1 {
		word = one
	}
	return message.NewPrinter(language.BritishEnglish).Sprintf("%d %s", n, word)
}

// versionDay is the version of a text in words, "21 November 2026"; what is no date stands as it is.
func versionDay(version string) string {
	day, err := time.Parse(time.DateOnly, version)
	if err != nil {
		return version
	}
	return day.Format("2 January 2006")
}
