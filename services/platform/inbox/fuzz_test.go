package inbox

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
)

// FuzzAnEnvelopeIsAnEventOfItsKindOrAnError: whatever bytes are read as an envelope, opening it gives an event of
// the consumer's own kind that names its member and has an id that can be recorded, or an error, which
// is what leads to the dead letters.
func FuzzAnEnvelopeIsAnEventOfItsKindOrAnError(f *testing.F) {
	id, uid := "01a1fc32-6def-7867-a724-f88c427cd082", "0192f0c1-0000-7000-8000-00000000000a"
	own, err := anypb.New(&eventsv1.UserConfirmed{Uid: uid, Email: "amara@example.org"})
	require.NoError(f, err)
	other, err := anypb.New(&eventsv1.UserUpdated{Uid: uid})
	require.NoError(f, err)
	itself, err := anypb.New(&eventsv1.Envelope{Id: id})
	require.NoError(f, err)
	for _, payload := range []*anypb.Any{nil, {}, own, other, itself, {TypeUrl: "x/nothing.v1"}, {TypeUrl: own.GetTypeUrl(), Value: []byte{0xff}}, {TypeUrl: "/"}} {
		for _, e := range []*eventsv1.Envelope{
			{Id: id, Uid: uid, Time: timestamppb.New(time.Unix(0, 0)), Payload: payload, Traceparent: "00-x", AggregateId: uid},
			{Id: "x", Uid: uid, Payload: payload},
			{Id: id, Uid: "{" + uid + "}", Payload: payload},
			{Id: "{01A1FC32-6DEF-7867-A724-F88C427CD082}", Uid: uid, Payload: payload},
			{Uid: uid, Payload: payload, Time: &timestamppb.Timestamp{Seconds: -1 << 63, Nanos: -1}},
		} {
			raw, err := proto.Marshal(e)
			require.NoError(f, err)
			f.Add(raw)
		}
	}
	f.Add([]byte{0xff, 0xff})
	f.Fuzz(func(t *testing.T, raw []byte) {
		envelope := new(eventsv1.Envelope)
		if proto.Unmarshal(raw, envelope) != nil {
			return // the bus dead-letters it before it is opened
		}
		event, err := open[*eventsv1.UserConfirmed](envelope)
		if err != nil {
			require.Zero(t, event)
			return
		}
		require.NotNil(t, event.Payload)
		ids := []uuid.UUID{uuid.MustParse(envelope.GetId()), uuid.MustParse(envelope.GetUid())}
		require.Equal(t, ids[0].String(), event.ID, "the inbox finds it by this spelling alone")
		require.Equal(t, ids[1], event.UID)
		require.Equal(t, string(envelope.GetPayload().MessageName()), string(event.Payload.ProtoReflect().Descriptor().FullName()))
	})
}
