package calls

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/proto/gen/serein/web/v1/webv1connect"
)

func TestADeclaredGigabyteIsRefusedBeforeItIsSent(t *testing.T) {
	t.Parallel()
	conn := product.DialGateway(t.Context(), t)
	_, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nX-Serein: 1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		webv1connect.SessionServiceGetSessionProcedure, product.GatewayHost(), 1<<30)
	require.NoError(t, err)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusTooManyRequests, res.StatusCode)
	require.Equal(t, "REQUEST_TOO_LARGE", harness.RefusalIn(harness.Page{Response: res, Body: string(text)}).Reason)
}
