package gateway

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/telemetry"
)

// journal is a log that a test reads while it is written.
type journal struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.out.Write(p)
}

// security takes the lines of the security log that were written since.
func (j *journal) security() []string {
	return slices.DeleteFunc(j.all(), func(line string) bool { return !strings.Contains(line, `"msg":"security"`) })
}

// all takes the lines that were written since.
func (j *journal) all() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	defer j.out.Reset()
	return slices.Collect(strings.Lines(j.out.String()))
}

func TestRefusalsOfTheAPIAndCallsOfOtherSitesStandInTheSecurityLog(t *testing.T) {
	t.Parallel()
	log := &journal{}
	s := start(t, 1, func(_ *Config, p *settings) {
		var err error
		p.tel, err = telemetry.SetupTo(t.Context(), "gateway", log)
		require.NoError(t, err)
	})
	b := s.member(t)
	log.security()
	for _, c := range []struct {
		outcome, procedure string
		call               func()
	}{
		{"scope_required", "/api/GetUser", func() {
			s.rest(t, s.token(nil), http.MethodGet, "/api/GetUser", "").failed(t, http.StatusForbidden, "SCOPE_REQUIRED")
		}},
		{"cross_site", "/api/GetUser", func() {
			b.get(t, "/api/GetUser", "X-Serein", "1", "Sec-Fetch-Site", "cross-site").failed(t, http.StatusForbidden, "CROSS_SITE")
		}},
		{"cross_site", "/serein.web.v1.SessionService/GetSession", func() {
			b.send(t, http.MethodPost, "/serein.web.v1.SessionService/GetSession", strings.NewReader("{}"), "Content-Type", "application/json", "Origin", "https://evil.example")
		}},
		{"cross_site", "", func() {
			b.send(t, http.MethodPost, "/serein.web.v1.SessionService/anything", strings.NewReader("{}"), "Content-Type", "application/json")
		}},
	} {
		c.call()
		lines := log.security()
		require.Len(t, lines, 1, c.procedure)
		require.Contains(t, lines[0], `"event":"access"`)
		require.Contains(t, lines[0], `"outcome":"`+c.outcome+`"`)
		require.Contains(t, lines[0], `"address_hash"`)
		require.NotContains(t, lines[0], "127.0.0.1")
		require.NotContains(t, lines[0], "evil")
		require.NotContains(t, lines[0], "anything")
		if c.procedure != "" {
			require.Contains(t, lines[0], `"procedure":"`+c.procedure+`"`)
		}
	}
}

func TestLimitsAndBrokenRulesStandInTheSecurityLogInPart(t *testing.T) {
	t.Parallel()
	log := &journal{}
	s := start(t, 1, scaled(1), func(_ *Config, p *settings) {
		var err error
		p.tel, err = telemetry.SetupTo(t.Context(), "gateway", log)
		require.NoError(t, err)
	})
	b := s.member(t)
	log.security()
	const order = "/serein.web.v1.OrderService/GetOrder"
	for _, c := range []struct {
		event, outcome, procedure string
		member                    bool
		call                      func() int
		status                    int
	}{
		{"rule", "invalid_argument", order, true, func() int { return b.call(t, order, `{"orderId":"SECRET"}`).StatusCode }, http.StatusBadRequest},
		{"rule", "invalid_argument", "/api/GetUser", true, func() int {
			return b.own(t, http.MethodGet, "/api/GetUser?uid="+strings.Repeat("SECRET", 20), "").StatusCode
		}, http.StatusBadRequest},
		{"rule", "unsupported_media_type", "/api/UpdateUser", true, func() int {
			return b.send(t, http.MethodPost, "/api/UpdateUser", strings.NewReader("SECRET"), "X-Serein", "1", "Content-Type", "text/plain").StatusCode
		}, http.StatusUnsupportedMediaType},
		{"limit", "too_many_requests", order, true, func() (status int) {
			for range 100 {
				if status = b.call(t, order, `{"orderId":"`+anOrder+`"}`).StatusCode; status == http.StatusTooManyRequests {
					break
				}
			}
			return status
		}, http.StatusTooManyRequests},
	} {
		require.Equal(t, c.status, c.call(), c.procedure)
		lines := log.security()
		require.Len(t, lines, 1, "%s %s", c.event, c.procedure)
		for _, part := range []string{`"event":"` + c.event + `"`, `"outcome":"` + c.outcome + `"`, `"procedure":"` + c.procedure + `"`, `"address_hash"`} {
			require.Contains(t, lines[0], part)
		}
		require.Equal(t, c.member, strings.Contains(lines[0], `"uid":"`+s.uid()))
		require.NotContains(t, lines[0], "SECRET")
	}
}
