package conventions

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// copyFolders are where what people read is written: the app, letters, hosted pages, the REST
// document with its examples. The app's prerendered pages are made of the first.
var copyFolders = []string{
	"frontend/src/", "frontend/index.html", "services/mail/internal/letters/templates/", "services/identity/internal/",
	"gateway/internal/login/", "gateway/internal/page/", "gateway/internal/rest/",
}

// promise finds the trial's numbers as they stand in the plan that billing starts with, 7 or 14 days
// and 8 credits, in figures or words, beside what they count.
var promise = regexp.MustCompile(`(?i)\b(7|8|14|seven|eight|fourteen)[\s-]+([a-z]+[\s-]+){0,2}(days?|credits?|trial)\b` +
	`|(days?|duration|credits?|trial)"?\s*[:=]\s*(7|8|14)\b` +
	`|\b(trial|free for)\b[^.;"'` + "`" + `]{0,30}\b(7|8|14|seven|eight|fourteen|a week|one week|two weeks|fortnight)\b` +
	`|\b(a|one|two)[\s-]weeks?('s)?[\s-]+([a-z]+[\s-]+){0,2}trial\b`)

func TestNoTextPromisesTheTrialsNumbers(t *testing.T) {
	t.Parallel()
	read := 0
	for path, source := range sources(t, ".ts", ".tsx", ".html", ".txt", ".tmpl", ".go", "swagger.json", "rest/README.md") {
		if isTest(path) || !slices.ContainsFunc(copyFolders, func(folder string) bool { return strings.HasPrefix(path, folder) }) {
			continue
		}
		read++
		require.Empty(t, promise.FindString(source), "%s: the plan says this, not the text", path)
	}
	require.Greater(t, read, 100)
}

func TestThePromisesOfATrialAreRecognised(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"7 days", "a 14-day free trial", "Seven days, no card", "eight free credits", `"meditationCredits":8`, "duration: 7", "trial of a week",
		"free for fourteen days", "a week's free trial", "two-week trial", "The trial lasts\n  7 days", "8 bespoke credits", "trialDays = 14",
	} {
		require.NotEmpty(t, promise.FindString(text), text)
	}
	for _, text := range []string{
		"${days} days", "30 days", "call 988", "0477 13 11 14", "the trial is over", "eight hours of sleep", "once a week", "12 credits", "17 days", "UTF-8 text",
	} {
		require.Empty(t, promise.FindString(text), text)
	}
}
