package gateway

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// What connect-go refuses before any of our code runs has a reason like everything else, and
// tells nothing of our types.
func TestABodyThatIsNotTheMessageIsRefusedWithAReason(t *testing.T) {
	t.Parallel()
	b := start(t, 1).gateways[0].browser(t)
	for _, body := range []string{`{"username":5}`, `{"username":["a"]}`, `[]`, `{`, `null null`, "\xff"} {
		got := b.call(t, "/serein.web.v1.AccountService/SignUp", body)
		require.Equal(t, http.StatusBadRequest, got.StatusCode, body)
		require.JSONEq(t, `{"code":"invalid_argument","message":"Something in that request isn’t right.","details":[{
			"type":"google.rpc.ErrorInfo","value":"ChBJTlZBTElEX0FSR1VNRU5UEgpzZXJlaW4uYXBw",
			"debug":{"reason":"INVALID_ARGUMENT","domain":"serein.app"}}]}`, got.body, body)
	}
}

func TestABodyThatUnpacksToTooMuchIsRefusedWithAReason(t *testing.T) {
	t.Parallel()
	b := start(t, 1).gateways[0].browser(t)
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, err := io.CopyN(z, zeros{}, 1<<20)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	got := b.send(t, http.MethodPost, getSession, &bomb, "Content-Type", "application/json", "Content-Encoding", "gzip", "X-Serein", "1")
	require.Equal(t, http.StatusTooManyRequests, got.StatusCode)
	require.Contains(t, got.body, `"reason":"TOO_LARGE"`)
	require.NotContains(t, got.body, "bytes")
}
