package conventions

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// units of a time as a source writes it.
var units = map[string]time.Duration{
	"": 1, "time.Second": time.Second, "time.Minute": time.Minute, "time.Hour": time.Hour,
}

// constant reads a number or time by its name from a source: "name = 15 * time.Minute", "name = deadline.Of(10 * time.Second)",
// "NAME_MS = 45_000;".
func constant(t *testing.T, all map[string]string, path, name string) time.Duration {
	t.Helper()
	found := regexp.MustCompile(`(?m)^\s*(?:const |var )?` + name + `\s*= (?:deadline\.Of\()?([0-9_]+)(?: \* (time\.[A-Z][a-z]+))?[);]*$`).FindStringSubmatch(all[path])
	require.NotNil(t, found, "%s of %s", name, path)
	n, err := strconv.Atoi(strings.ReplaceAll(found[1], "_", ""))
	require.NoError(t, err)
	require.Contains(t, units, found[2])
	return time.Duration(n) * units[found[2]]
}

// Times of two programs that count on each other: each pair is named here, since no program knows the other's.
func TestTimesThatBelongTogetherAgree(t *testing.T) {
	t.Parallel()
	all := sources(t, ".go", ".ts")
	of := func(path, name string) time.Duration { t.Helper(); return constant(t, all, path, name) }

	require.Greater(t, of("gateway/internal/login/attempt.go", "attemptLife"), of("services/identity/internal/oidcop/types.go", "OwnRequestLife")+30*time.Second,
		"the sign-in page ends before the gateway forgets who it is for, with time for the way back")
	require.Equal(t, of("services/identity/internal/account/account.go", "UnconfirmedLife"), of("gateway/internal/web/joining.go", "joiningLife"),
		"a browser keeps its proof for as long as the account waits")
	silence := of("frontend/src/data/live-meditation.ts", "SILENCE_MS") * time.Millisecond
	for path, name := range map[string]string{
		"gateway/internal/web/web.go": "Heartbeat", "services/generation/internal/meditation/watch.go": "heartbeatInterval",
	} {
		require.GreaterOrEqual(t, silence, 3*of(path, name), "a stream is given up after three heartbeats of %s that did not come", path)
	}
	transport := "frontend/src/data/transport.ts"
	patience := of(transport, "PATIENCE_TICKS") * of(transport, "TICK_MS") * time.Millisecond
	require.Greater(t, patience, of("gateway/internal/web/web.go", "callTime")+5*time.Second, "the gateway's own word that a call took too long arrives")
}

// codeWorks is how texts say for how long a mailed code is good.
var codeWorks = regexp.MustCompile(`works (?:once, )?for (?:the next )?([0-9]+)(?: |&nbsp;)minutes`)

func TestTextsSayForHowLongACodeIsGood(t *testing.T) {
	t.Parallel()
	all := sources(t, ".go", ".ts", ".html", ".txt")
	good := constant(t, all, "services/identity/internal/account/account.go", "CodeLife")
	saying := 0
	for path, source := range all {
		if isTest(path) || strings.Contains(path, "/testdata/") {
			continue
		}
		for _, said := range codeWorks.FindAllStringSubmatch(source, -1) {
			saying++
			require.Equal(t, strconv.Itoa(int(good.Minutes())), said[1], path)
		}
	}
	require.GreaterOrEqual(t, saying, 8+1+1, "eight letters, the page of a forgotten password, the app")
}

func TestTheAppSaysForHowLongATokenIsGood(t *testing.T) {
	t.Parallel()
	all := sources(t, ".go", ".ts")
	good := constant(t, all, "services/identity/internal/oidcop/types.go", "TokenLife")
	require.Contains(t, all["frontend/src/copy/credentials.ts"], "ends within "+strconv.Itoa(int(good.Minutes()))+" minutes")
}
