package generation

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/generation/internal/events"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/config"
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

	var names []string
	for _, e := range published(t, broker.URL, 5) {
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
}

// published are the first events of this service, as soon as there are as many.
func published(t *testing.T, broker string, count int) (events []*eventsv1.Envelope) {
	t.Helper()
	conn, err := nats.Connect(broker)
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), waitFor)
	defer cancel()
	var stream jetstream.Stream
	require.Eventually(t, func() bool {
		stream, err = js.Stream(ctx, bus.StreamName(Name))
		return err == nil
	}, waitFor, 10*time.Millisecond)
	reader, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{})
	require.NoError(t, err)
	for range count {
		msg, err := reader.Next(jetstream.FetchContext(ctx))
		require.NoError(t, err)
		e := new(eventsv1.Envelope)
		require.NoError(t, proto.Unmarshal(msg.Data(), e))
		events = append(events, e)
	}
	return events
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
	marked := m
	marked.DeletesAt, marked.NewTitle = time.Unix(1_800_000_000, 0), "n"
	for subject, c := range map[string]struct{ got, want proto.Message }{
		"requested": {events.Requested(m).Message, &eventsv1.GenerationRequested{
			MeditationId: id.String(), Uid: uid.String(), Title: "t", TypeId: "a", PracticeId: "b", SizeId: "c", Immersive: true,
		}},
		"completed": {events.Completed(m).Message, &eventsv1.GenerationCompleted{MeditationId: id.String(), Uid: uid.String(), Title: "t", DurationMs: 1500}},
		"failed":    {events.Failed(m).Message, &eventsv1.GenerationFailed{MeditationId: id.String(), Uid: uid.String(), Reason: "timed_out"}},
		"cancelled": {events.Failed(cancelled).Message, &eventsv1.GenerationFailed{MeditationId: id.String(), Uid: uid.String(), Reason: "cancelled"}},
		"marked": {events.MarkedDeleted(marked).Message, &eventsv1.BespokeDeleted{
			MeditationId: id.String(), Uid: uid.String(), PurgeAt: &timestamppb.Timestamp{Seconds: 1_800_000_000},
		}},
		"recovered": {events.Recovered(m).Message, &eventsv1.BespokeRecovered{MeditationId: id.String(), Uid: uid.String()}},
		"renamed":   {events.Renamed(marked).Message, &eventsv1.BespokeRenamed{MeditationId: id.String(), Uid: uid.String(), Title: "n"}},
		"purged":    {events.Purged(marked).Message, &eventsv1.BespokePurged{MeditationId: id.String(), Uid: uid.String()}},
	} {
		require.True(t, proto.Equal(c.want, c.got), subject)
	}
}
