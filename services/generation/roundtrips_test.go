package generation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/platform/outbox"
)

// A request asks this database twice: to write it down, and to make it work once its cost is held.
// With billing's one (its own test counts that) and the balance that the screen shows afterwards,
// Generate takes four round trips; before they were joined it took twelve.
func TestARequestTakesTwoRoundTripsToTheDatabase(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	pool, trips := h.db.CountRoundTrips(t)
	p := h.start(0, time.Minute, func(ports *meditation.Ports) {
		ports.Store = store.New(pool, outbox.New(pool, h.broker, Name, ports.Log, time.Now))
	})
	made := 0
	require.Equal(t, int64(2), trips.Least(func() {
		_, err := p.Create(t.Context(), h.member(2), request())
		require.NoError(t, err)
		made++
	}))
	require.Equal(t, made, h.count(`SELECT count(*) FROM meditations WHERE state = 'queued'`))
	require.Equal(t, map[string]int{"requested": made}, h.events())
}

// While a meditation is narrated, its segment is looked up before the file is read and again afterwards, since its member may
// cancel meanwhile. Once it is ready nobody can, so one look is enough. Before the rows were joined it took three and two.
func TestASegmentTakesOneRoundTripAndOneMoreWhileItMayBeCancelled(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	g := newGate(1)
	h.recorder.hook(g.before)
	uid := h.member(8)
	working := h.start(1, time.Minute)
	m := h.deliver(working, g, uid)
	pool, trips := h.db.CountRoundTrips(t)
	reader := h.start(0, time.Minute, func(ports *meditation.Ports) {
		ports.Store = store.New(pool, outbox.New(pool, h.broker, Name, ports.Log, time.Now))
	})
	read := func() {
		mp3, err := reader.ReadSegment(t.Context(), uid, m.ID, 0)
		require.NoError(t, err)
		require.Equal(t, sound(m.ID.String(), 0), mp3)
	}
	get := func() {
		_, segments, err := reader.Get(t.Context(), uid, m.ID)
		require.NoError(t, err)
		require.NotEmpty(t, segments)
	}
	require.Equal(t, int64(2), trips.Least(read))
	require.Equal(t, int64(1), trips.Least(get), "what it is and its segments are asked for together")
	close(g.open)
	h.ended(working, uid, m.ID)
	require.Equal(t, int64(1), trips.Least(read))
}
