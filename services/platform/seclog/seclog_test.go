package seclog_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/config"
	"serein.app/services/platform/seclog"
	"serein.app/services/platform/telemetry"
	"serein.app/services/testkit/clock"
)

type journal struct {
	bytes.Buffer
	tel   *telemetry.Telemetry
	clock *clock.Clock
	*seclog.Log
}

func start(t *testing.T, secret config.Secret) *journal {
	t.Helper()
	j := &journal{clock: clock.New()}
	var err error
	j.tel, err = telemetry.SetupTo(t.Context(), "test", &j.Buffer)
	require.NoError(t, err)
	j.Log, err = seclog.New(j.tel, secret, j.clock.Now)
	require.NoError(t, err)
	return j
}

// lines takes the records that were written since the last time.
func (j *journal) lines(t *testing.T) (records []map[string]any) {
	t.Helper()
	for line := range strings.Lines(j.String()) {
		var record map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &record))
		if record["msg"] == "security" {
			records = append(records, record)
		}
	}
	j.Reset()
	return records
}

const secret = config.Secret("a-secret-of-32-characters-or-more")

func TestAnEventIsOneLineThatReadsNothingBack(t *testing.T) {
	t.Parallel()
	j := start(t, secret)
	j.Record(t.Context(), seclog.Event{Kind: seclog.SignIn, Outcome: seclog.Failure, UID: "u-1", Login: "amara@example.org", Address: "192.0.2.7"})
	require.NotContains(t, j.String(), "amara")
	require.NotContains(t, j.String(), "192.0.2")
	lines := j.lines(t)
	require.Len(t, lines, 1)
	require.Equal(t, "WARN", lines[0]["level"])
	require.Equal(t, "sign_in", lines[0]["event"])
	require.Equal(t, "failure", lines[0]["outcome"])
	require.Equal(t, "u-1", lines[0]["uid"])
	require.Len(t, lines[0]["login_hash"], 16)
	require.Len(t, lines[0]["address_hash"], 16)
	require.NotContains(t, lines[0], "procedure", "what is not known is left out")
}

func TestTheSameIsRecognisedUnderTheSameSecretAlone(t *testing.T) {
	t.Parallel()
	hash := func(secret config.Secret, e seclog.Event) any {
		j := start(t, secret)
		j.Record(t.Context(), e)
		line := j.lines(t)[0]
		return [2]any{line["login_hash"], line["address_hash"]}
	}
	same := seclog.Event{Kind: seclog.SignIn, Outcome: seclog.Success, Login: "a", Address: "a"}
	first, ok := hash(secret, same).([2]any)
	require.True(t, ok)
	require.Equal(t, first, hash(secret, same))
	require.NotEqual(t, first[0], first[1], "a name is not taken for an address")
	require.NotEqual(t, first, hash(secret+"x", same))
	one, another := hash("", same), hash("", same)
	require.NotEqual(t, one, another, "without one each process has its own")
}

func TestAFloodIsCountedInFullAndWrittenInPart(t *testing.T) {
	t.Parallel()
	j := start(t, secret)
	for range 1000 {
		j.Record(t.Context(), seclog.Event{Kind: seclog.SignIn, Outcome: seclog.Failure})
	}
	j.Record(t.Context(), seclog.Event{Kind: seclog.SignIn, Outcome: seclog.Success})
	require.Len(t, j.lines(t), 21, "one kind's flood hides no other")
	j.clock.Move(1e9)
	j.Record(t.Context(), seclog.Event{Kind: seclog.SignIn, Outcome: seclog.Failure})
	require.EqualValues(t, 980, j.lines(t)[0]["lines_left_out"])

	w := httptest.NewRecorder()
	j.tel.Handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	var counted []string
	for line := range strings.Lines(w.Body.String()) {
		if strings.HasPrefix(line, "serein_security_events") {
			counted = append(counted, strings.TrimSpace(line[strings.LastIndex(line, " "):]))
		}
	}
	require.ElementsMatch(t, []string{"1001", "1"}, counted)
}

func TestAFloodAtInventedNamesHidesNoMember(t *testing.T) {
	t.Parallel()
	j := start(t, secret)
	failure := seclog.Event{Kind: seclog.SignIn, Outcome: seclog.Failure, Login: "nobody"}
	member := seclog.Event{Kind: seclog.SignIn, Outcome: seclog.Failure, UID: "u-1", Login: "amara"}
	for range 1000 {
		j.Record(t.Context(), failure)
	}
	require.Len(t, j.lines(t), 20)
	j.Record(t.Context(), member)
	lines := j.lines(t)
	require.Len(t, lines, 1, "lines about members have room of their own")
	require.Equal(t, "u-1", lines[0]["uid"])
	require.NotContains(t, lines[0], "lines_left_out", "what was left out was about nobody known")
	for range 1000 {
		j.Record(t.Context(), member)
	}
	require.Len(t, j.lines(t), 19, "which is bounded too")

	j.clock.Move(1e9)
	j.Record(t.Context(), member)
	j.Record(t.Context(), failure)
	lines = j.lines(t)
	require.EqualValues(t, 981, lines[0]["lines_left_out"])
	require.EqualValues(t, 980, lines[1]["lines_left_out"])
}

func TestWithoutALogNothingIsWritten(t *testing.T) {
	t.Parallel()
	var none *seclog.Log
	require.NotPanics(t, func() { none.Record(t.Context(), seclog.Event{Kind: seclog.Admin}) })
}
