package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever is wrong with the packing of a request is its caller's fault: no 500, a reason that does
// not change, and no line that would wake anybody.
func TestAnUnknownContentEncodingIs415OnEveryCall(t *testing.T) {
	t.Parallel()
	log := &lines{}
	s := start(t, 1, logged(log))
	visitor, b := s.gateways[0].browser(t), s.member(t)
	const json = "application/json"
	for _, encoding := range []string{"br", "gzip, gzip", "zstd", "deflate", "GZIP"} {
		for _, m := range webMethods() {
			if m.streams {
				continue
			}
			got := visitor.send(t, http.MethodPost, m.procedure, strings.NewReader("{}"), "X-Serein", "1", "Content-Type", json, "Content-Encoding", encoding)
			require.Equal(t, http.StatusUnsupportedMediaType, got.StatusCode, "%s %s: %s", m.procedure, encoding, got.body)
			require.Equal(t, "UNSUPPORTED_MEDIA_TYPE", got.reason(t))
			require.Equal(t, "gzip", got.Header.Get("Accept-Encoding"))
		}
		for _, kind := range []string{"application/grpc", "application/grpc-web"} {
			got := visitor.send(t, http.MethodPost, getSession, strings.NewReader("\x01\x00\x00\x00\x00"), "X-Serein", "1", "Content-Type", kind, "Grpc-Encoding", encoding)
			require.Equal(t, http.StatusOK, got.StatusCode)
			require.Contains(t, strings.ToLower(got.body+got.Trailer.Get("Grpc-Status")+got.Header.Get("Grpc-Status")), "3", "invalid argument")
		}
		b.own(t, http.MethodPost, "/api/generateMeditation", wanted, "Content-Encoding", encoding).failed(t, http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
	}
	require.Empty(t, s.services.created)
	require.NotContains(t, log.String(), `"level":"ERROR"`)
}

func TestAStreamWhoseFramesAreWrongIsRefusedWithAReasonAndFillsNoLog(t *testing.T) {
	t.Parallel()
	log := &lines{}
	s := start(t, 1, logged(log))
	b := s.member(t)
	id := `{"id":"` + mine + `"}`
	one := "\x00\x00\x00\x00" + string(rune(len(id))) + id
	for name, body := range map[string]string{
		"a bad flag": "\x40" + one[1:], "no message": "", "two messages": one + one, "cut": one[:len(one)-3], "a cut prefix": "\x00\x00",
		"packed without an encoding": "\x01" + one[1:], "the end of a stream": "\x02\x00\x00\x00\x02{}",
	} {
		got := b.send(t, http.MethodPost, generator+"WatchMeditation", strings.NewReader(body), "X-Serein", "1", "Content-Type", "application/connect+json")
		require.Equal(t, http.StatusOK, got.StatusCode, name)
		require.Contains(t, got.body, `"code":"invalid_argument"`, name)
		require.Contains(t, got.body, `"google.rpc.ErrorInfo"`, name)
	}
	require.NotContains(t, log.String(), `"level":"ERROR"`)
}
