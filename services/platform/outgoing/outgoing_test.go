package outgoing_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/outgoing"
)

func TestACallGoesNowhereThatItsAnswerSendsIt(t *testing.T) {
	t.Parallel()
	foreign := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the call was taken there") }))
	t.Cleanup(foreign.Close)
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		server := httptest.NewServer(http.RedirectHandler(foreign.URL, status))
		t.Cleanup(server.Close)
		res, err := (&http.Client{CheckRedirect: outgoing.StayHere}).Post(server.URL, "text/plain", http.NoBody)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, status, res.StatusCode)
	}
}
