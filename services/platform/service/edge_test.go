package service_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
	"serein.app/services/testkit"
)

// edge is a whole configuration whose broker nobody serves.
func edge() service.EdgeConfig {
	return service.EdgeConfig{Server: server.Config{Addr: "127.0.0.1:0"}, ServiceKey: testkit.Key("gateway"), NATSURL: "nats://127.0.0.1:1"}
}

func TestAProgramAtTheEdgeCallsServicesAndFollowsTheBrokerAlone(t *testing.T) {
	t.Parallel()
	s, err := service.StartEdge(t.Context(), "gateway", edge(), testkit.Telemetry(t))
	require.NoError(t, err)
	require.NotNil(t, s.Dialer)
	require.NotNil(t, s.Bus)
	require.Nil(t, s.RPC)
	require.Nil(t, s.DB)
	require.Nil(t, s.Outbox)
	url, stop := testkit.Serve(t, s)
	require.Equal(t, http.StatusOK, ready(t, url), "also while the broker is away")
	stop()
}

func TestAProgramAtTheEdgeWithoutABrokersAddressHasNoBus(t *testing.T) {
	t.Parallel()
	cfg := edge()
	cfg.NATSURL = ""
	s, err := service.StartEdge(t.Context(), "gateway", cfg, testkit.Telemetry(t))
	require.NoError(t, err)
	require.Nil(t, s.Bus)
	require.NoError(t, s.Close(t.Context()))
}

func TestAWrongConfigurationOfTheEdgeIsRefusedWithItsNameAndWithoutSecrets(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*service.EdgeConfig){
		"broker":       func(c *service.EdgeConfig) { c.NATSURL = "nats://user:hunter2@host:port" },
		"service key":  func(c *service.EdgeConfig) { c.ServiceKey = "hunter2" },
		"certificates": func(c *service.EdgeConfig) { c.TLS.Cert = "hunter2" },
	} {
		cfg := edge()
		change(&cfg)
		_, err := service.StartEdge(t.Context(), "gateway", cfg, testkit.Telemetry(t))
		require.ErrorContains(t, err, "gateway", name)
		require.NotContains(t, err.Error(), "hunter2", name)
	}
}

func TestAWiringOfTheEdgeThatFailsLeavesNothingOpen(t *testing.T) {
	t.Parallel()
	var closed []string
	note := func(what string) func(context.Context) error {
		return func(context.Context) error { closed = append(closed, what); return nil }
	}
	errWire := errors.New("no such part")
	err := service.RunEdge(t.Context(), "gateway", edge(), func(_ context.Context, s *service.Service) error {
		s.Defer(note("first"))
		s.Defer(note("second"))
		return errWire
	})
	require.ErrorIs(t, err, errWire)
	require.Equal(t, []string{"second", "first"}, closed)
}
