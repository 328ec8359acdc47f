package rpc_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"

	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/proto/gen/serein/mail/v1/mailv1connect"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
	"serein.app/services/platform/telemetry"
	"serein.app/services/testkit"
)

// packed is a server of a unary call and of a stream, which anybody may call, and its log.
func packed(tb testing.TB) (url string, log *bytes.Buffer) {
	tb.Helper()
	log = &bytes.Buffer{}
	tel, err := telemetry.SetupTo(tb.Context(), "mail", log)
	require.NoError(tb, err)
	anybody := auth.Rule{Services: []string{"gateway"}}
	s, err := rpc.NewServer(testkit.Verifier(tb, "mail"), auth.Policy{
		mailv1connect.MailServiceSendMailProcedure:                    anybody,
		generationv1connect.MeditationServiceWatchMeditationProcedure: anybody,
	}, tel)
	require.NoError(tb, err)
	mux := http.NewServeMux()
	add := func(path string, h http.Handler) { mux.Handle(path, rpc.WellFormed(h, nil)) }
	add(mailv1connect.NewMailServiceHandler(handler{ok}, s.Options()...))
	add(generationv1connect.NewMeditationServiceHandler(watcher{watch: func(context.Context, func() error) error { return nil }}, s.Options()...))
	server := httptest.NewServer(mux)
	tb.Cleanup(server.Close)
	return server.URL, log
}

// refusal is what an answer says in its protocol's own form.
type refusal struct {
	status       int
	code, reason string
}

func ask(tb testing.TB, url, kind string, header http.Header, body []byte) refusal {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, url, bytes.NewReader(body))
	require.NoError(tb, err)
	require.NoError(tb, testkit.Dialer(tb, "gateway").Sign(req, "mail"))
	req.Header.Set("Content-Type", kind)
	for name, values := range header {
		req.Header[name] = values
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(tb, err)
	answer, err := io.ReadAll(res.Body)
	require.NoError(tb, err)
	require.NoError(tb, res.Body.Close())
	return read(tb, res, answer)
}

func read(tb testing.TB, res *http.Response, body []byte) refusal {
	tb.Helper()
	switch kind := res.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "application/grpc-web"):
		return grpcRefusal(tb, res.StatusCode, trailersIn(tb, body), res.Header)
	case strings.HasPrefix(kind, "application/grpc"):
		return grpcRefusal(tb, res.StatusCode, res.Trailer, res.Header)
	case strings.HasPrefix(kind, "application/connect+"):
		var end struct {
			Error json.RawMessage `json:"error"`
		}
		require.Equal(tb, byte(2), body[0], "the end of the stream")
		require.NoError(tb, json.Unmarshal(body[5:], &end))
		return connectRefusal(tb, res.StatusCode, end.Error)
	}
	return connectRefusal(tb, res.StatusCode, body)
}

// trailersIn reads gRPC-web's last frame.
func trailersIn(tb testing.TB, body []byte) http.Header {
	tb.Helper()
	found := http.Header{}
	if len(body) < 5 {
		return found
	}
	require.Equal(tb, byte(0x80), body[0])
	for line := range strings.SplitSeq(string(body[5:]), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		found.Set(name, strings.TrimSpace(value))
	}
	return found
}

func grpcRefusal(tb testing.TB, status int, sources ...http.Header) refusal {
	tb.Helper()
	for _, h := range sources {
		if code := h.Get("Grpc-Status"); code != "" {
			raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(h.Get("Grpc-Status-Details-Bin"), "="))
			require.NoError(tb, err)
			var details spb.Status
			require.NoError(tb, proto.Unmarshal(raw, &details))
			require.Len(tb, details.GetDetails(), 1)
			var info errdetails.ErrorInfo
			require.NoError(tb, details.GetDetails()[0].UnmarshalTo(&info))
			return refusal{status, map[string]string{"3": "invalid_argument", "8": "resource_exhausted"}[code], info.GetReason()}
		}
	}
	require.Fail(tb, "no grpc-status")
	return refusal{}
}

func connectRefusal(tb testing.TB, status int, body []byte) refusal {
	tb.Helper()
	var said struct {
		Code    string `json:"code"`
		Details []struct {
			Value string `json:"value"`
		} `json:"details"`
	}
	require.NoError(tb, json.Unmarshal(body, &said), string(body))
	require.Len(tb, said.Details, 1, string(body))
	raw, err := base64.RawStdEncoding.DecodeString(said.Details[0].Value)
	require.NoError(tb, err)
	var info errdetails.ErrorInfo
	require.NoError(tb, proto.Unmarshal(raw, &info))
	return refusal{status, said.Code, info.GetReason()}
}

func frame(flags byte, message string) string {
	prefix := make([]byte, 5, 5+len(message))
	prefix[0] = flags
	binary.BigEndian.PutUint32(prefix[1:], uint32(len(message)))
	return string(prefix) + message
}

// framed are the protocols that put messages in frames, with the header that names an encoding.
var framed = map[string]string{
	"application/grpc": "Grpc-Encoding", "application/grpc+proto": "Grpc-Encoding", "application/grpc-web+proto": "Grpc-Encoding",
	"application/connect+proto": "Connect-Content-Encoding", "application/connect+json": "Connect-Content-Encoding",
}

// calls are the unary procedure and the stream; Connect frames the stream alone.
func calls(kind string) []string {
	stream := generationv1connect.MeditationServiceWatchMeditationProcedure
	if strings.HasPrefix(kind, "application/connect+") {
		return []string{stream}
	}
	return []string{mailv1connect.MailServiceSendMailProcedure, stream}
}

func TestABodyThatIsNotOneWholeFrameIsTheCallersFault(t *testing.T) {
	t.Parallel()
	url, log := packed(t)
	for kind := range framed {
		for _, call := range calls(kind) {
			for name, body := range map[string]string{
				"no message": "", "half a prefix": "\x00\x00", "a message cut off": frame(0, "{}")[:6], "a length that lies": "\x00\x00\x00\x00\x09{}",
				"two messages": frame(0, "{}") + frame(0, "{}"), "an unknown flag": frame(0x40, "{}"), "the end of a stream": frame(2, "{}"),
				"gRPC-web's trailers": frame(0x80, "a: b"), "packed without an encoding": frame(1, "{}"), "all flags": frame(0xff, ""),
				"a length of 4 GiB": "\x00\xff\xff\xff\xff{}",
			} {
				got := ask(t, url+call, kind, nil, []byte(body))
				require.Equal(t, refusal{http.StatusOK, "invalid_argument", "INVALID_ARGUMENT"}, got, "%s %s: %s", kind, call, name)
			}
			huge := frame(0, strings.Repeat(" ", rpc.MaxMessage+1))
			require.Equal(t, refusal{http.StatusOK, "resource_exhausted", "TOO_LARGE"}, ask(t, url+call, kind, nil, []byte(huge)), kind)
		}
	}
	require.NotContains(t, log.String(), `"level":"ERROR"`)
}

func TestAnEncodingThatIsNotReadIs415(t *testing.T) {
	t.Parallel()
	address, log := packed(t)
	encodings := [][]string{{"br"}, {"gzip, gzip"}, {"gzip", "br"}, {"zstd"}, {"deflate"}, {strings.Repeat("x", 5000)}}
	for _, encoding := range encodings {
		for _, kind := range []string{"application/json", "application/proto"} {
			got := ask(t, address+mailv1connect.MailServiceSendMailProcedure, kind, http.Header{"Content-Encoding": encoding}, []byte("{}"))
			require.Equal(t, refusal{http.StatusUnsupportedMediaType, "invalid_argument", "UNSUPPORTED_MEDIA_TYPE"}, got, "%s %s", kind, encoding)
		}
		for kind, header := range framed {
			for _, call := range calls(kind) {
				got := ask(t, address+call, kind, http.Header{header: encoding}, []byte(frame(1, "{}")))
				require.Equal(t, "UNSUPPORTED_MEDIA_TYPE", got.reason, "%s %s", kind, encoding)
				require.Equal(t, "invalid_argument", got.code)
			}
		}
		got, err := http.Get(address + generationv1connect.MeditationServiceGetMeditationProcedure +
			"?connect=v1&encoding=json&message=%7B%7D&compression=" + url.QueryEscape(strings.Join(encoding, ",")))
		require.NoError(t, err)
		require.NoError(t, got.Body.Close())
		require.Equal(t, http.StatusUnsupportedMediaType, got.StatusCode)
		require.Equal(t, "gzip", got.Header.Get("Accept-Encoding"), "RFC 9110, 15.5.16")
	}
	require.NotContains(t, log.String(), `"level":"ERROR"`)
}

func TestWhatIsWellPackedIsServed(t *testing.T) {
	t.Parallel()
	address, _ := packed(t)
	const message = `{"idempotencyKey":"k","to":"a@b.example","accountExists":{}}`
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, err := io.WriteString(z, message)
	require.NoError(t, errors.Join(err, z.Close()))
	for encoding, body := range map[string]string{"": message, "identity": message, "gzip": zipped.String()} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+mailv1connect.MailServiceSendMailProcedure, strings.NewReader(body))
		require.NoError(t, err)
		require.NoError(t, testkit.Dialer(t, "gateway").Sign(req, "mail"))
		req.Header.Set("Content-Type", "application/json")
		if encoding != "" {
			req.Header.Set("Content-Encoding", encoding)
		}
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusOK, res.StatusCode, encoding)
	}
}

// FuzzNoPackingOfARequestIsOurFault: whatever bytes come as whatever protocol, nothing panics and
// no answer calls it internal.
func FuzzNoPackingOfARequestIsOurFault(f *testing.F) {
	kinds := []string{"application/grpc", "application/grpc-web+proto", "application/connect+proto", "application/connect+json", "application/json", "application/proto"}
	for i := range kinds {
		for _, body := range []string{"", frame(0, ""), frame(1, "x"), frame(2, "{}"), frame(0, "\x0a\x01k"), "{}", "\xff\xff\xff\xff\xff"} {
			f.Add(i, "", body)
			f.Add(i, "gzip", body)
			f.Add(i, "br", body)
		}
	}
	s, err := rpc.NewServer(testkit.Verifier(f, "mail"), policy, testkit.Telemetry(f))
	require.NoError(f, err)
	_, h := mailv1connect.NewMailServiceHandler(handler{ok}, s.Options()...)
	served := rpc.WellFormed(h, nil)
	f.Fuzz(func(t *testing.T, kind int, encoding, body string) {
		r := httptest.NewRequest(http.MethodPost, mailv1connect.MailServiceSendMailProcedure, strings.NewReader(body))
		r.Header.Set("Content-Type", kinds[uint(kind)%uint(len(kinds))])
		for _, name := range []string{"Content-Encoding", "Grpc-Encoding", "Connect-Content-Encoding"} {
			r.Header.Set(name, encoding)
		}
		w := httptest.NewRecorder()
		served.ServeHTTP(w, r)
		require.Less(t, w.Code, http.StatusInternalServerError)
		require.NotContains(t, []string{"2", "12", "13"}, w.Result().Trailer.Get("Grpc-Status"), "unknown, unimplemented, internal")
	})
}
