package bus_test

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"serein.app/services/platform/bus"
)

// leftBehind gives the owner of a stream that has shed what its consumer, away since its first event, had not handled.
func (h *harness) leftBehind() *bus.Bus {
	h.t.Helper()
	owner, _, _ := h.measured(service)
	reader, _, _ := h.measured("mail")
	h.fill(owner, 0, 1)
	got, stop := h.reading(reader)
	h.eventually(func() bool { return len(got.list()) == 1 })
	stop()
	h.fill(owner, 1, 100)
	return owner
}

// Between a look at what is missed and the end of its repair more may be shed: that is not repaired with it.
func TestARepairEndsNoGapThatGrewMeanwhile(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	owner := h.leftBehind()
	first := h.missed(owner)
	require.Len(t, first, 1)
	h.fill(owner, 100, 200)
	second := h.missed(owner)
	require.Len(t, second, 1)
	require.True(t, second[0].Noticed.After(first[0].Noticed))

	require.NoError(t, owner.Repaired(t.Context(), first[0], second[0].To.Add(time.Hour), time.Now()))
	still := h.missed(owner)
	require.Len(t, still, 1, "it was noticed again since")
	require.True(t, still[0].From.Equal(second[0].From) && still[0].To.Equal(second[0].To))
	require.NoError(t, owner.Repaired(t.Context(), second[0], second[0].To, time.Now()))
	require.Empty(t, h.missed(owner))
}

// A consumer whose process never comes back costs no write at every look, only the one of every minute.
func TestWhatAnAbsentConsumerMissedIsNotWrittenAgainWhileNothingMoves(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	owner := h.leftBehind()
	require.Len(t, h.missed(owner), 1)
	kept := func() map[string]string { return h.consumer().Config.Metadata }
	before := kept()
	require.NotEmpty(t, before)
	for range 3 {
		require.Len(t, h.missed(owner), 1)
	}
	require.Equal(t, before, kept())
}

// The broker's permissions may be missing, so the service checks as well: it declares no consumer of another service's events.
func TestAServiceDeclaresNoReaderOfAnothersEventsNorOneOfAllItsOwn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	owner, _, _ := h.measured(service)
	h.fill(owner, 0, 1)
	conn, err := nats.Connect(h.broker.URL)
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	declare := func(subject string) string {
		answer, err := conn.Request("serein_consumer."+service+".mail-reader."+subject, []byte(`{"in_hand":1,"ack_wait":1000000000}`), patience)
		require.NoError(t, err)
		return string(answer.Data)
	}
	for _, other := range []string{"serein.billing.credits.held.v1", "serein.billing.>", "serein.>", ">", "serein." + service + ".>", "serein." + service + ".user.*.v1"} {
		require.NotEmpty(t, declare(other), other)
	}
	require.Empty(t, declare(subject), "its own")
}
