package gateway

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/webhook"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
)

// doors are the paths at which strangers' bytes are read: every RPC, sounds, pages, sign-in and files.
func doors() []string {
	paths := []string{
		"/", "/journey", "/journey/" + mine, "/nothing/here", "/assets/app-1a2b.js", "/assets/../pages.json", "/icon.svg", "/pages.json",
		"/auth/sign-in", "/auth/callback", "/media/meditations/" + mine + "/audio", "/media/meditations/" + mine + "/download", "/media/meditations/" + mine + "/segments/0",
		"/media/tracks/rain.mp3", "/media/grounding/calm.mp3", "/media/assets/0a/pine.webp", "/media/", "/media/receipts/" + anOrder, webhook.Path, webhook.MailPath, "/unsubscribe/" + aLink, "/api/GetUser", "/api/docs",
		"/.well-known/openid-configuration",
	}
	for _, m := range methods(filesOf("serein.web.v1")...) {
		paths = append(paths, m.procedure)
	}
	return paths
}

// frame is a message as streams carry it: a flag, its length, its bytes.
func frame(flag byte, length int, message string) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{flag}, uint32(length)), message...)
}

// fuzzed is one request in every part that a stranger writes.
type fuzzed struct {
	method, query                 string
	contentType, encoding, accept string
	ranges, cookie, origin        string
	body                          []byte
}

func seedRequests(f *testing.F) {
	f.Helper()
	for i := range doors() {
		for _, r := range []fuzzed{
			{method: "GET", accept: "br;q=0, gzip;q=x, *;q=2,,;", ranges: "bytes=0-,5-1,-9999999999999999999"},
			{method: "POST", contentType: "application/json", body: []byte(`{"id":"` + mine + `","title":"\ud800","fromSegment":-1}`)},
			{method: "POST", contentType: "application/json; charset=\"", encoding: "br", body: []byte("{}")},
			{method: "POST", contentType: "application/proto", encoding: "gzip", body: []byte{0x1f, 0x8b, 8, 0xff}},
			{method: "POST", contentType: "application/connect+json", body: frame(0, 2, "{}")},
			{method: "POST", contentType: "application/connect+json", body: frame(9, 1<<31, "{")},
			{method: "POST", contentType: "application/connect+proto", body: append(frame(0, 1, "\x0a"), frame(2, 0, "")...)},
			{method: "POST", contentType: "application/grpc-web+proto", body: frame(0x80, 4, "a: b")},
			{method: "POST", contentType: "application/grpc", encoding: "identity", body: frame(1, 3, "\xff\xff\xff")},
			{method: "GET", query: "connect=v1&encoding=json&base64=1&compression=br&message=%ff%7B", cookie: "__Host-serein=a; __Host-serein=b;;=", origin: "null"},
			{method: "GET", query: "code=%00&state=x&iss=;&return_to=//evil.example", cookie: "__Host-serein-attempt=AAAA", origin: "http://"},
		} {
			f.Add(i, r.method, r.query, r.contentType, r.encoding, r.accept, r.ranges, r.cookie, r.origin, r.body)
		}
	}
}

// FuzzNoRequestIsOurFault: whatever a stranger or a member sends to any door of the gateway is answered without a
// failure of ours, and without a panic.
func FuzzNoRequestIsOurFault(f *testing.F) {
	s := start(f, 1, scaled(1e6))
	s.services.give(s.uid(), meditation(mine, generationv1.Stage_STAGE_READY))
	member := "__Host-serein=" + s.member(f).cookie("__Host-serein")
	paths, handler := doors(), s.gateways[0].handler
	seedRequests(f)
	f.Fuzz(func(t *testing.T, door int, method, query, contentType, encoding, accept, ranges, cookie, origin string, body []byte) {
		if !token(method) || strings.ContainsFunc(contentType+encoding+accept+ranges+cookie+origin, control) {
			return // net/http refuses it before the gateway sees it
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		r := httptest.NewRequestWithContext(ctx, method, s.gateways[0].URL, bytes.NewReader(body))
		r.Host = s.gateways[0].host
		r.URL = &url.URL{Path: paths[((door%len(paths))+len(paths))%len(paths)], RawQuery: query}
		r.Header = http.Header{
			"X-Serein": {"1"}, "Content-Type": {contentType}, "Content-Encoding": {encoding}, "Connect-Content-Encoding": {encoding},
			"Grpc-Encoding": {encoding}, "Accept-Encoding": {accept}, "Range": {ranges}, "Cookie": {cookie},
		}
		if len(body)%2 == 0 {
			r.Header.Add("Cookie", member)
		}
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		require.NotContains(t, []int{http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable}, w.Code,
			"%s %s?%q: %s", method, r.URL.Path, query, w.Body)
		if w.Header().Get("Content-Type") == "application/json" && w.Body.Len() > 0 {
			require.True(t, json.Valid(w.Body.Bytes()) && utf8.Valid(w.Body.Bytes()), "%s", w.Body)
		}
	})
}

// control says whether net/http takes no header with it (RFC 9110, 5.5).
func control(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// token says whether net/http takes a method (RFC 9110, 5.6.2).
func token(method string) bool {
	_, err := http.NewRequest(method, "/", nil)
	return err == nil
}
