package gateway

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/config"
	"serein.app/services/platform/mtls"
	"serein.app/services/testkit"
	"serein.app/services/testkit/issuer"
	"serein.app/services/testkit/natstest"
)

const patience = testkit.Patience

// OpenID Connect Back-Channel Logout 1.0 asks for the same, by HTTP where there is no broker.
func TestASessionEndedAtTheProviderEndsHereOnEveryReplica(t *testing.T) {
	t.Parallel()
	broker := natstest.New(t)
	connect := func(name string) *bus.Bus {
		b, err := bus.Connect(broker.URL, name, testkit.Logger(t))
		require.NoError(t, err)
		t.Cleanup(b.Close)
		return b
	}
	s := start(t, 2)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 2)
	for _, g := range s.gateways {
		consumer, err := sessionEnded(g.sessions)
		require.NoError(t, err)
		events := connect(Name)
		go func() { done <- events.Consume(ctx, consumer) }()
	}
	t.Cleanup(func() { cancel(); require.NoError(t, <-done); require.NoError(t, <-done) })

	s.op.With(func(b *issuer.Behaviour) { b.Claims = map[string]any{"sid": "session-1"} })
	here := s.member(t)
	there := &browser{Client: here.Client, base: s.gateways[1].URL}
	const list = "/serein.web.v1.JourneyService/ListBespoke"
	for _, b := range []*browser{here, there} {
		require.Equal(t, http.StatusOK, b.call(t, list, "{}").StatusCode)
	}
	identity := connect("identity")
	payload, err := anypb.New(&eventsv1.SessionEnded{Uid: s.uid(), Sid: "session-1"})
	require.NoError(t, err)
	event, err := proto.Marshal(&eventsv1.Envelope{Id: "e-1", Uid: s.uid(), Payload: payload})
	require.NoError(t, err)
	require.Eventually(t, func() bool { _, err := identity.EnsureStream(t.Context(), "identity"); return err == nil }, patience, time.Millisecond)
	_, err = identity.Publish(t.Context(), bus.StreamName("identity"), []bus.Message{{ID: "e-1", Subject: "serein.identity.session.ended.v1", Data: event}})
	require.NoError(t, err)
	for _, b := range []*browser{here, there} {
		require.Eventually(t, func() bool {
			s.clock.Move(time.Second) // what a replica still believes without asking
			got, err := b.tryCall(t.Context(), list, "{}")
			return err == nil && got.StatusCode == http.StatusUnauthorized
		}, patience, 10*time.Millisecond)
	}
}

func TestWhatTheGatewayHandlesOfItsEventsIsCounted(t *testing.T) {
	t.Parallel()
	broker := natstest.New(t)
	identity, err := bus.Connect(broker.URL, "identity", testkit.Logger(t))
	require.NoError(t, err)
	t.Cleanup(identity.Close)
	_, err = identity.EnsureStream(t.Context(), "identity")
	require.NoError(t, err)
	s := start(t, 0)
	s.cfg.NATSURL = config.URL(broker.URL)
	_, internal := s.opened(t, s.services.billing.URL, mtls.Config{})
	payload, err := anypb.New(&eventsv1.SessionEnded{Uid: s.uid(), Sid: "session-1"})
	require.NoError(t, err)
	event, err := proto.Marshal(&eventsv1.Envelope{Id: "e-1", Uid: s.uid(), Payload: payload})
	require.NoError(t, err)
	_, err = identity.Publish(t.Context(), bus.StreamName("identity"), []bus.Message{{ID: "e-1", Subject: "serein.identity.session.ended.v1", Data: event}})
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		res, err := http.Get("http://" + internal + "/metrics")
		require.NoError(t, err)
		page, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return regexp.MustCompile(`(?m)^serein_bus_handled[^\n]*consumer="gateway-session-ended"[^\n]* 1$`).Match(page)
	}, patience, 20*time.Millisecond)
}
