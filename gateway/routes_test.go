package gateway

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/testkit"
)

var update = flag.Bool("update", false, "rewrite the golden files")

type method struct {
	procedure string
	reads     bool // NO_SIDE_EFFECTS
	streams   bool
}

func methods(files ...protoreflect.FileDescriptor) []method {
	var all []method
	for _, file := range files {
		for i := range file.Services().Len() {
			service := file.Services().Get(i)
			for j := range service.Methods().Len() {
				m := service.Methods().Get(j)
				options, _ := m.Options().(*descriptorpb.MethodOptions)
				all = append(all, method{
					procedure: fmt.Sprintf("/%s/%s", service.FullName(), m.Name()),
					reads:     options.GetIdempotencyLevel() == descriptorpb.MethodOptions_NO_SIDE_EFFECTS,
					streams:   m.IsStreamingServer(),
				})
			}
		}
	}
	return all
}

// filesOf are all files of a contract, so that none is forgotten.
func filesOf(contract protoreflect.FullName) []protoreflect.FileDescriptor {
	var files []protoreflect.FileDescriptor
	protoregistry.GlobalFiles.RangeFilesByPackage(contract, func(f protoreflect.FileDescriptor) bool {
		files = append(files, f)
		return true
	})
	return files
}

func webMethods() []method {
	return methods(filesOf("serein.web.v1")...)
}

// internalMethods are those of all services.
func internalMethods() []method {
	var all []method
	for _, service := range []protoreflect.Name{"identity", "billing", "basket", "content", "generation", "mail"} {
		all = append(all, methods(filesOf(protoreflect.FullName("serein."+service+".v1"))...)...)
	}
	return all
}

func TestNoCallComesFromAnotherSite(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1e6))
	verbs := []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodOptions}
	types := []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json"}
	own := s.gateways[0].URL
	origins := []string{"", "null", "http://evil.example", strings.Replace(own, "http:", "https:", 1), own}
	sites := []string{"", "cross-site", "same-site", "same-origin", "none"}
	for _, m := range webMethods() {
		for _, verb := range verbs {
			for _, kind := range types {
				for _, origin := range origins {
					for _, site := range sites {
						for _, header := range []string{"", "0", "1"} {
							w := s.crossCall(m, verb, kind, origin, site, header)
							ours := header == "1" && (site == "" || site == "same-origin" || site == "none") &&
								(origin == "" || origin == own)
							wellFormed := verb == http.MethodGet && m.reads || verb == http.MethodPost && kind == "application/json" && !m.streams
							what := fmt.Sprintf("%s %s type=%q origin=%q site=%q header=%q: %d", verb, m.procedure, kind, origin, site, header, w.Code)
							switch {
							case !ours:
								require.Equal(t, http.StatusForbidden, w.Code, what)
							case !wellFormed:
								require.Contains(t, []int{http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType}, w.Code, what)
							default:
								require.NotContains(t, []int{http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType, http.StatusNotFound, http.StatusInternalServerError}, w.Code, what)
							}
							require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"), what)
						}
					}
				}
			}
		}
	}
}

func (s *stack) crossCall(m method, verb, kind, origin, site, header string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(verb, s.gateways[0].URL+m.procedure, strings.NewReader("{}"))
	if verb == http.MethodGet {
		r = httptest.NewRequest(verb, s.gateways[0].URL+m.procedure+"?connect=v1&encoding=json&message=%7B%7D", nil)
	}
	for name, value := range map[string]string{"Content-Type": kind, "Origin": origin, "Sec-Fetch-Site": site, "X-Serein": header} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	w := httptest.NewRecorder()
	s.gateways[0].handler.ServeHTTP(w, r)
	return w
}

func TestRefusedCallsReachNoService(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	const form = "username=eve&password=x"
	for _, headers := range [][]string{
		{"Content-Type", "application/json"},
		{"Content-Type", "application/json", "X-Serein", "1", "Sec-Fetch-Site", "cross-site"},
		{"Content-Type", "application/json", "X-Serein", "1", "Origin", "https://evil.example"},
		{"Content-Type", "application/x-www-form-urlencoded", "X-Serein", "1"},
		{"Content-Type", "text/plain", "X-Serein", "1"},
	} {
		b.send(t, http.MethodPost, "/serein.web.v1.AccountService/SignUp", bytes.NewBufferString(form), headers...)
	}
	require.Empty(t, s.services.signUps)
}

func TestOnlyTheGatewaysOwnServicesExist(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	b.signIn(t, "")
	internal := internalMethods()
	require.NotEmpty(t, internal)
	for _, m := range internal {
		require.Equal(t, http.StatusNotFound, b.call(t, m.procedure, "{}").StatusCode, m.procedure)
		require.Equal(t, http.StatusNotFound, b.call(t, "/api"+m.procedure, "{}").StatusCode, m.procedure)
	}
	for _, path := range []string{
		"/metrics", "/debug/pprof/", "/grpc.health.v1.Health/Check", "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
		"/v1/meditations/x/audio", "/auth/", "/auth/static/page.css", "/auth/done.tmpl", "/auth/..%2fpage.css", "/media/", "/media/meditations/",
		"/media/tracks/..%2f..%2fetc", "/media/tracks/rain.wav", "/media/meditations/..%2f..%2fv1/audio",
		"/media/meditations/x/segments/-1", "/media/meditations/x/segments/1e3", "/serein.web.v1.SessionService/Nope", "/serein.web.v1.Nope/GetSession",
		"/.git/config", "/assets/../gateway.go", "/%2e%2e/%2e%2e/etc/passwd",
	} {
		got := b.get(t, path, "X-Serein", "1")
		if got.StatusCode == http.StatusTemporaryRedirect { // the cleaned path
			got = b.get(t, got.Header.Get("Location"))
		}
		require.Equal(t, http.StatusNotFound, got.StatusCode, path)
		require.NotEqual(t, http.StatusOK, b.call(t, path, "{}").StatusCode, path)
	}
}

func TestForgedInternalHeadersAreDropped(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	b.signIn(t, "")
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	forged := []string{
		"Authorization", "Bearer forged", "X-User-Id", "victim", "X-Forwarded-For", "6.6.6.6", "X-Forwarded-User", "victim", "X-Real-Ip", "6.6.6.6",
		"X-Serein-Member", "victim", "Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "X-Serein", "1", "Content-Type", "application/json",
	}
	who := b.send(t, http.MethodPost, getSession, strings.NewReader("{}"), forged...)
	require.Contains(t, who.body, s.uid())
	token := s.token(nil, "serein.meditation.read")
	own := append([]string{"Authorization", "Bearer " + token}, forged[2:]...)
	require.Equal(t, http.StatusOK, b.get(t, "/media/meditations/"+mine+"/audio", own...).StatusCode)
	for name := range s.services.headers {
		require.Contains(t, []string{"Authorization", "User-Agent"}, name, "crossed to the service")
	}
	require.NotContains(t, s.services.headers.Get("Authorization"), token)
	visitor := s.gateways[0].browser(t)
	require.NotContains(t, visitor.send(t, http.MethodPost, getSession, strings.NewReader("{}"), forged...).body, "uid")
}

// The security headers of every kind of answer, as a file that a reviewer reads.
func TestEveryKindOfAnswerHasItsHeaders(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	visitor := s.gateways[0].browser(t)
	var golden strings.Builder
	note := func(what string, a answer) {
		fmt.Fprintf(&golden, "# %s: %d\n", what, a.StatusCode)
		names := make([]string, 0, len(a.Header))
		for name := range a.Header {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			if !slices.Contains([]string{"Date", "Content-Length", "Etag", "Set-Cookie", "Location", "Content-Type", "Accept-Ranges", "Content-Range", "Content-Encoding", "X-Request-Id"}, name) {
				fmt.Fprintf(&golden, "%s: %s\n", name, strings.Join(a.Header[name], " | "))
			}
		}
		golden.WriteString("\n")
	}
	note("the way to the sign-in", b.get(t, "/auth/sign-in"))
	note("a sign-in that another site began", b.get(t, "/auth/sign-in", "Sec-Fetch-Site", "cross-site"))
	note("the sign-in's last page", b.signIn(t, "?popup=1"))
	note("a sign-in that did not work", visitor.get(t, "/auth/callback?state=x&code=y"))
	note("a file of these pages", b.get(t, "/auth/page.css"))
	note("a page", b.get(t, "/journey", "Accept", "text/html"))
	note("a page that does not exist", b.get(t, "/nowhere", "Accept", "text/html"))
	note("something that does not exist", b.get(t, "/nowhere"))
	note("a hashed file of the app", b.get(t, "/assets/app-1a2b.js", "Accept-Encoding", "br"))
	note("another file of the app", b.get(t, "/icon.svg"))
	note("a call", b.call(t, getSession, "{}"))
	note("a read by GET", b.get(t, getSession+"?connect=v1&encoding=json&message=%7B%7D", "X-Serein", "1"))
	note("a call that is refused", visitor.call(t, "/serein.web.v1.JourneyService/ListBespoke", "{}"))
	note("a call of another site", b.get(t, getSession))
	note("a call of another kind", b.send(t, http.MethodPost, getSession, strings.NewReader("x"), "Content-Type", "text/plain", "X-Serein", "1"))
	note("a call that is too large", b.call(t, getSession, strings.Repeat(" ", 70_000)))
	note("an unknown procedure", b.call(t, "/serein.web.v1.SessionService/Nope", "{}"))
	note("a page that is not the visitor's", visitor.get(t, "/journey", "Accept", "text/html"))
	note("a REST call", b.own(t, http.MethodGet, "/api/GetUser", ""))
	note("a REST call that is refused", visitor.own(t, http.MethodGet, "/api/GetUser", ""))
	note("the page of the REST calls", visitor.get(t, "/api/docs"))
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	note("a recording", b.get(t, "/media/meditations/"+mine+"/audio"))
	note("a piece of a recording", b.get(t, "/media/meditations/"+mine+"/audio", "Range", "bytes=0-9"))
	note("a piece that is not there", b.get(t, "/media/meditations/"+mine+"/audio", "Range", "bytes=99999999-"))
	note("a recording to keep", b.get(t, "/media/meditations/"+mine+"/download"))
	note("a recording that does not exist", b.get(t, "/media/meditations/"+theirs+"/audio"))
	note("a recording for nobody", visitor.get(t, "/media/meditations/"+mine+"/audio"))
	note("a track", visitor.get(t, "/media/tracks/rain-3f2a.mp3"))
	note("a picture", visitor.get(t, pine))
	s.services.ordered(s.uid(), paid())
	note("a receipt", b.get(t, "/media/receipts/"+anOrder))
	note("a receipt that does not exist", b.get(t, "/media/receipts/"+mine))
	note("a webhook", visitor.told(t, "{}", "v1"))
	note("a webhook that is refused", visitor.told(t, "{}", ""))
	note("the link of a letter", visitor.follow(t, aLink))
	note("a link that is none", visitor.follow(t, "x"))
	note("a sign-out", b.call(t, "/serein.web.v1.SessionService/SignOut", "{}"))
	compare(t, "testdata/headers.golden", golden.String())
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "run with -update")
	require.Equal(t, string(want), got)
}

func TestOnlyHTTPSIsToldToStayHTTPS(t *testing.T) {
	t.Parallel()
	s := start(t, 1, func(c *Config, _ *settings) { c.PublicURL = "https://serein.example" })
	b := s.gateways[0].browser(t)
	require.Equal(t, "max-age=63072000; includeSubDomains", b.get(t, "/nowhere").Header.Get("Strict-Transport-Security"))
	require.Contains(t, b.get(t, "/auth/sign-in").Header.Get("Location"), "https%3A%2F%2Fserein.example%2Fauth%2Fcallback")
	plain := start(t, 1)
	require.Empty(t, plain.gateways[0].browser(t).get(t, "/").Header.Get("Strict-Transport-Security"))
}

func TestThePublicListenerKnowsNothingOfOperationsAndTheInternalOneAnswersThem(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	inside := auth.Policy{}
	for _, m := range internalMethods() {
		inside[m.procedure] = auth.Rule{}
	}
	testkit.RequirePublic(t, s.gateways[0].URL, inside)
	testkit.RequireInternal(t, s.gateways[0].internal, nil) // the gateway serves no procedures there
}

// A gateway without Redis still has pages, the catalogue and the REST document for everybody.
func TestReadinessDependsOnNothingButTheGatewayItself(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	ready := func() int { return s.gateways[0].browser(t).get(t, s.gateways[0].internal+"/readyz").StatusCode }
	require.Equal(t, http.StatusOK, ready())
	s.services.billing.Close()
	require.Equal(t, http.StatusOK, ready())
	s.redis.SetError("LOADING")
	require.Equal(t, http.StatusOK, ready())
	s.redis.Close()
	require.Equal(t, http.StatusOK, ready())
}

// RFC 9110, 15.5.20: a name that somebody else points here is not ours, cookie or not.
func TestRFC9110AForeignHostIsMisdirectedWhateverItAsksFor(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1e6))
	b := s.member(t)
	own := s.gateways[0].URL
	for _, host := range []string{"evil.example", "localhost:1", "127.0.0.1", "evil.example@" + b.host} {
		b.host = host
		for _, path := range []string{
			"/", "/journey", "/assets/app-1a2b.js", "/auth/sign-in", "/api/GetUser", "/api/openapi.json", "/media/tracks/rain-3f2a.mp3", "/nowhere",
			getSession + "?connect=v1&encoding=json&message=%7B%7D",
		} {
			for _, headers := range [][]string{{"X-Serein", "1"}, {"X-Serein", "1", "Origin", "http://" + host}, {"X-Serein", "1", "Upgrade", "websocket", "Connection", "Upgrade"}} {
				got := b.get(t, path, headers...)
				require.Equal(t, http.StatusMisdirectedRequest, got.StatusCode, "%s of %s", path, host)
				require.NotContains(t, got.body, "Ada")
				require.NotEmpty(t, got.Header.Get("Content-Security-Policy"))
			}
		}
		watch := b.send(t, http.MethodPost, generator+"WatchMeditation", strings.NewReader(""), "Content-Type", "application/connect+json", "X-Serein", "1")
		require.Equal(t, http.StatusMisdirectedRequest, watch.StatusCode)
	}
	b.host = s.gateways[0].host
	other := strings.Replace(own, "http:", "https:", 1)
	require.Equal(t, http.StatusForbidden, b.get(t, "/api/GetUser", "X-Serein", "1", "Origin", other).StatusCode, "the scheme counts")
	require.Equal(t, http.StatusOK, b.get(t, "/api/GetUser", "X-Serein", "1", "Origin", own).StatusCode)
}
