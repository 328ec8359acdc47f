package gateway

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/guard"
	"serein.app/services/platform/server"
	"serein.app/services/platform/telemetry"
)

func TestABrowserGetsAnAnswerWhenAHandlerPanicsAndTheLogItsStack(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	tel, err := telemetry.SetupTo(t.Context(), Name, &log)
	require.NoError(t, err)
	broken := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("out of tea") })
	g := &gateway{handler: broken, conns: guard.NewConnections(1, 1, nil)}
	listener, err := server.Listen(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	s := server.New(Name, server.Config{Addr: "127.0.0.1:0"}, tel)
	s.Public(g.public(listener))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()

	res, err := http.Get("http://" + listener.Addr().String() + "/journey")
	require.NoError(t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, errors.Join(err, res.Body.Close()))
	stop()
	require.NoError(t, <-done)
	require.Equal(t, http.StatusInternalServerError, res.StatusCode)
	require.NotContains(t, string(body), "tea")
	require.Contains(t, log.String(), `"level":"ERROR"`)
	require.Contains(t, log.String(), "panic_test.go")
}
