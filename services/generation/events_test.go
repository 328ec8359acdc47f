package generation

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/generation/internal/events"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/config"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

func TestEventsOfAMeditationArriveInOrderAlsoAfterTheBrokerWasAway(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	broker := natstest.New(t)
	broker.Stop()
	cfg := h.config()
	cfg.NATSURL = config.URL(broker.URL)
	url, _ := h.serve(cfg, h.fakes())
	uid := h.member(8)
	ctx := auth.WithMember(t.Context(), uid.String())
	created, err := client(t, "gateway", url).CreateMeditation(ctx, createRequest())
	require.NoError(t, err)
	id := created.GetMeditation().GetId()
	require.Eventually(t, func() bool { return h.billing.holds()["captured"] == 1 }, waitFor, 10*time.Millisecond, "the work needs no broker")
	broker.Start()

	listener, err := bus.Connect(broker.URL, "test", testkit.Logger(t))
	require.NoError(t, err)
	t.Cleanup(listener.Close)
	got := make(chan *eventsv1.Envelope, 10)
	hear, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- listener.Consume(hear, bus.Consumer{
			Name: "test-all", Subject: "serein.generation.>",
			Handle: func(_ context.Context, e *eventsv1.Envelope) error { got <- e; return nil },
		})
	}()
	var names []string
	for range 5 {
		e := <-got
		require.Equal(t, uid.String(), e.GetUid())
		require.Equal(t, id, e.GetAggregateId())
		message, err := e.GetPayload().UnmarshalNew()
		require.NoError(t, err)
		name := string(message.ProtoReflect().Descriptor().Name())
		if p, ok := message.(*eventsv1.GenerationProgressed); ok {
			name = p.GetStage()
		}
		names = append(names, name)
	}
	require.Equal(t, []string{"GenerationRequested", "STAGE_WRITING", "STAGE_NARRATING", "STAGE_FINISHING", "GenerationCompleted"}, names)
	stop()
	<-done
}

func TestEventsSayWhatHappened(t *testing.T) {
	t.Parallel()
	id, uid := uuid.New(), uuid.New()
	m := meditation.Meditation{
		ID: id, UID: uid, State: meditation.Failed, FailureReason: "timed_out", ReadyFor: 1500 * time.Millisecond,
		Request: meditation.Request{Title: "t", TypeID: "a", PracticeID: "b", SizeID: "c", Immersive: true},
	}
	cancelled := m
	cancelled.State, cancelled.FailureReason = meditation.Cancelled, ""
	for subject, c := range map[string]struct{ got, want proto.Message }{
		"requested": {events.Requested(m).Message, &eventsv1.GenerationRequested{
			MeditationId: id.String(), Uid: uid.String(), Title: "t", TypeId: "a", PracticeId: "b", SizeId: "c", Immersive: true,
		}},
		"completed": {events.Completed(m).Message, &eventsv1.GenerationCompleted{MeditationId: id.String(), Uid: uid.String(), Title: "t", DurationMs: 1500}},
		"failed":    {events.Failed(m).Message, &eventsv1.GenerationFailed{MeditationId: id.String(), Uid: uid.String(), Reason: "timed_out"}},
		"cancelled": {events.Failed(cancelled).Message, &eventsv1.GenerationFailed{MeditationId: id.String(), Uid: uid.String(), Reason: "cancelled"}},
	} {
		require.True(t, proto.Equal(c.want, c.got), subject)
	}
}
