package gateway

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/rest"
)

// logged makes the gateways write their log, as JSON of every level, to where the test reads it.
func logged(log *lines) options {
	return func(_ *Config, p *settings) {
		tel := *p.tel
		tel.Log = slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		p.tel = &tel
	}
}

func TestAStrangersRequestsFillNoLog(t *testing.T) {
	t.Parallel()
	log := &lines{}
	s := start(t, 1, logged(log))
	b := s.gateways[0].browser(t)
	filler := strings.Repeat("FILLER%01", 200)
	for _, path := range []string{"/api/" + filler, "/api/GetUser/" + filler, "/api/GetUser?uid=" + filler, "/api/%ff" + filler} {
		b.own(t, http.MethodGet, path, "")
	}
	b.own(t, strings.Repeat("FILLER", 200), "/api/GetUser", "")
	b.own(t, http.MethodGet, "/api/GetUser", "")
	require.Eventually(t, func() bool { return strings.Count(log.String(), `"msg":"REST call"`) == 6 }, patience, time.Millisecond)
	require.NotContains(t, log.String(), "FILLER")
	require.Contains(t, log.String(), `"method":"GET","route":"unknown"`)
	require.Contains(t, log.String(), `"method":"other","route":"/api/GetUser"`)
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, `"msg":"REST call"`) {
			require.Contains(t, line, `"level":"DEBUG"`)
		}
	}
	s.rest(t, s.token(nil), http.MethodGet, "/api/GetUser", "").failed(t, http.StatusForbidden, "SCOPE_REQUIRED")
	require.Eventually(t, func() bool {
		return strings.Contains(log.String(), `"level":"INFO","msg":"REST call"`)
	}, patience, time.Millisecond, "who is known is logged")
}

func TestComingBackWithoutASignInThatBeganFillsNoLog(t *testing.T) {
	t.Parallel()
	log := &lines{}
	s := start(t, 1, logged(log))
	b := s.gateways[0].browser(t)
	for _, query := range []string{"", "?state=x&code=y", "?error=FILLER&iss=FILLER"} {
		require.Equal(t, http.StatusBadRequest, b.get(t, "/auth/callback"+query).StatusCode)
	}
	require.NotContains(t, log.String(), "FILLER")
	require.Equal(t, 3, strings.Count(log.String(), `"level":"DEBUG","msg":"sign-in failed"`))
	require.NotContains(t, log.String(), `"level":"WARN"`)
}

func TestWhomRESTRefusesStandsInTheSecurityLog(t *testing.T) {
	t.Parallel()
	log := &lines{}
	s := start(t, 1, logged(log))
	const wrong = "Zm9yZ2Vk.Zm9yZ2Vk.Zm9yZ2Vk"
	s.rest(t, wrong, http.MethodGet, "/api/GetUser?uid=SECRETQUERY", "").failed(t, http.StatusUnauthorized, "UNAUTHENTICATED")
	s.rest(t, s.token(nil), http.MethodGet, "/api/GetUser", "").failed(t, http.StatusForbidden, "SCOPE_REQUIRED")
	s.member(t).own(t, http.MethodPost, "/api/sendMail", `{}`).failed(t, http.StatusForbidden, "ADMIN_REQUIRED")
	var refused []string
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, `"msg":"security"`) {
			refused = append(refused, line)
		}
	}
	require.Len(t, refused, 3)
	require.Contains(t, refused[0], `"outcome":"unauthenticated"`)
	require.Contains(t, refused[1], `"outcome":"scope_required"`)
	require.Contains(t, refused[2], `"outcome":"admin_required"`)
	for i, path := range []string{"/api/GetUser", "/api/GetUser", "/api/sendMail"} {
		require.Contains(t, refused[i], `"procedure":"`+path+`"`)
		require.Contains(t, refused[i], `"address_hash"`)
		require.Equal(t, i > 0, strings.Contains(refused[i], `"uid":"`+s.uid()), "who is known is named")
	}
	require.NotContains(t, strings.Join(refused, ""), "SECRETQUERY")
	require.NotContains(t, strings.Join(refused, ""), wrong)
}

func TestTextThatIsNotUTF8IsRefused(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for _, path := range []string{
		"/api/GetUser?uid=%ff", "/api/bespokeMeditations?uid=%ff", "/api/bespokeMeditations?page_token=%C3%28", "/api/bespokeMeditations?user_id=%ED%A0%80",
		"/api/GetUser?%ff=x", "/api/GetUser?x=%ff", "/api/%ff", "/api/GetUser?uid=%zz", "/api/GetUser?uid=a;b=c",
	} {
		b.own(t, http.MethodGet, path, "").failed(t, http.StatusBadRequest, "INVALID_ARGUMENT")
	}
	for _, bytes := range []string{"\xff", "\xc3\x28", "\xed\xa0\x80"} {
		for _, body := range []string{`{"title":"` + bytes + `"}`, `{"` + bytes + `":1}`} {
			b.own(t, http.MethodPost, "/api/generateMeditation", body).failed(t, http.StatusBadRequest, "INVALID_ARGUMENT")
			b.own(t, http.MethodPost, "/api/UpdateUser", body).failed(t, http.StatusBadRequest, "INVALID_ARGUMENT")
		}
	}
	require.Empty(t, s.services.created)
}

// FuzzNoRESTRequestIsOurFault: whatever a caller who may everything writes, it is answered, in this
// contract's form, and never with a failure of ours.
func FuzzNoRESTRequestIsOurFault(f *testing.F) {
	s := start(f, 1, waiting(time.Nanosecond), scaled(1e6))
	s.services.is(s.uid(), true)
	for i, line := range rest.Lines() {
		f.Add(i, "", "{}")
		f.Add(i, "uid=%ff&user_id=%00&page_token=%C3%28", line.Body)
		f.Add(i, "uid="+s.uid(), `{"title":"\xed\xa0\x80","uid":7,"likes":1e999,"isGod":null}`)
		f.Add(i, "uid=%zz;&;=&uid.x=1&", "{\"title\":\"\x00\xff\",\"consents\":{\"terms\":[]},\"duration\":\"\u202e\"}")
		f.Add(i, "user_id="+someone+"&page_token=AAAA", `[[[[{"a":`+strings.Repeat(`{"a":`, 2000))
	}
	handler, lines := s.gateways[0].handler, rest.Lines()
	tokens := make([]string, len(lines)) // one a call: signing takes longer than all that is asked here
	for i, line := range lines {
		tokens[i] = s.mayCall(line)
	}
	f.Fuzz(func(t *testing.T, call int, query, body string) {
		at := ((call % len(lines)) + len(lines)) % len(lines)
		line := lines[at]
		r := httptest.NewRequestWithContext(t.Context(), line.Verb, s.gateways[0].URL, io.NopCloser(bytes.NewBufferString(body)))
		r.URL = &url.URL{Path: line.Path, RawQuery: query}
		r.Header.Set("Authorization", "Bearer "+tokens[at])
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code >= http.StatusBadRequest {
			got := answer{w.Result(), w.Body.String()}
			require.Contains(t, []int{400, 404, 409, 413, 501}, w.Code, "%s %q %q: %s", line.Path, query, body, got.body)
			require.Contains(t, got.body, `"requestId"`)
		}
	})
}

func TestTheSchemeOfAnAccessTokenMayBeWrittenInAnyCase(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	token := s.token(nil, "serein.user.read")
	for _, scheme := range []string{"Bearer ", "bearer ", "BEARER ", "bEaReR  "} {
		got := b.get(t, "/api/GetUser", "Authorization", scheme+token)
		require.Equal(t, http.StatusOK, got.StatusCode, "%q: %s", scheme, got.body)
	}
	for _, none := range []string{"Bearer", "bearer" + token, token, "DPoP " + token} {
		b.get(t, "/api/GetUser", "Authorization", none).failed(t, http.StatusUnauthorized, "UNAUTHENTICATED")
	}
}

func TestAForeignOriginIsRefusedWhateverTheMethod(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	own := s.gateways[0].URL
	for _, headers := range [][]string{
		{"Origin", "http://evil.example"}, {"Origin", "null"}, {"Origin", own + ".evil.example"}, {"Origin", "nonsense"}, {"Origin", ""},
	} {
		for _, site := range [][]string{nil, {"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Site", "none"}} {
			h := append(append([]string{"X-Serein", "1"}, headers...), site...)
			for _, verb := range []string{http.MethodGet, http.MethodHead} {
				require.Equal(t, http.StatusForbidden, b.send(t, verb, "/api/GetUser", nil, h...).StatusCode, "%s %v", verb, h)
			}
			b.send(t, http.MethodPost, "/api/generateMeditation", strings.NewReader(wanted), append(h, "Content-Type", "application/json")...).
				failed(t, http.StatusForbidden, "CROSS_SITE")
			read := b.get(t, "/serein.web.v1.SessionService/GetSession?connect=v1&encoding=json&message=%7B%7D", h...)
			require.Equal(t, http.StatusForbidden, read.StatusCode, "%v: %s", h, read.body)
		}
	}
	require.Empty(t, s.services.created)
	require.Equal(t, http.StatusOK, b.get(t, "/api/GetUser", "X-Serein", "1", "Origin", own, "Sec-Fetch-Site", "same-origin").StatusCode)
}
