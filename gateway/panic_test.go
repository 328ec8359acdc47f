package gateway

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/telemetry"
)

func TestABrowserGetsAnAnswerWhenAHandlerPanicsAndTheLogItsStack(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	tel, err := telemetry.SetupTo(t.Context(), Name, &log)
	require.NoError(t, err)
	broken := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("out of tea") })
	public := (&gateway{handler: broken, tel: tel}).server()

	w := httptest.NewRecorder()
	public.Handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/journey", nil))
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.NotContains(t, w.Body.String(), "tea")
	require.Contains(t, log.String(), `"level":"ERROR"`)
	require.Contains(t, log.String(), "panic_test.go")
}
