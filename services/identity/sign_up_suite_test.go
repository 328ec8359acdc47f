package identity_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
)

// signUpSuite is where the public SDK for JavaScript and what it is asked stand.
const signUpSuite = "sign-up-suite"

func TestThePublicSDKForJavaScriptIsAnsweredInAllThatItAsks(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	var calls atomic.Int64
	testkit.NodeSuite(t, signUpSuite, "@aws-sdk", "SIGN_UP_URL="+b.losing(&calls), "SIGN_UP_CLIENT_ID="+signUpClient, "PASSWORD="+goodPassword, "DESK_SECRET="+deskSecret)
	require.GreaterOrEqual(t, calls.Load(), int64(30), "calls of the SDK")
}

// losing serves the API to programs of this machine. GET /letter gives the code of the next letter, and POST /lose has
// the next answer lost on its way.
func (b *harness) losing(calls *atomic.Int64) string {
	b.t.Helper()
	target, err := url.Parse(b.server.URL)
	require.NoError(b.t, err)
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.Transport = b.server.Client().Transport
	var lose atomic.Bool
	routes := http.NewServeMux()
	routes.HandleFunc("GET /letter", func(w http.ResponseWriter, _ *http.Request) {
		letter := b.nextMail()
		_, _ = fmt.Fprint(w, letter.GetConfirmationCode().GetCode()+letter.GetPasswordReset().GetCode())
	})
	routes.HandleFunc("POST /lose", func(http.ResponseWriter, *http.Request) { lose.Store(true) })
	routes.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		if lose.Swap(false) {
			proxy.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler) // the connection ends without an answer
		}
		proxy.ServeHTTP(w, r)
	})
	server := httptest.NewServer(routes)
	b.t.Cleanup(server.Close)
	return server.URL
}
