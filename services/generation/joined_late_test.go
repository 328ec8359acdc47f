package generation

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/blob"
)

// lateBlobs store a whole file after something else has happened.
type lateBlobs struct {
	blob.Store
	meanwhile func()
}

func (b *lateBlobs) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	if !strings.HasSuffix(key, "/audio.mp3") {
		return b.Store.Put(ctx, key, r, size)
	}
	whole, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	b.meanwhile()
	// The worker's context ends during the upload, but a store may still keep what it has received.
	return b.Store.Put(context.WithoutCancel(ctx), key, bytes.NewReader(whole), size)
}

// joinsLate makes a meditation whose worker is taken for dead while it joins, and answers when that worker has stopped.
func (h *harness) joinsLate(meanwhile func(m meditation.Meditation)) meditation.Meditation {
	h.t.Helper()
	uid := h.member(8)
	joined := make(chan struct{})
	var once sync.Once
	var m meditation.Meditation
	created := make(chan struct{})
	p := h.start(1, time.Hour, func(ports *meditation.Ports) {
		ports.Blobs = &lateBlobs{Store: ports.Blobs, meanwhile: func() {
			<-created
			once.Do(func() { meanwhile(m); close(joined) })
		}}
	})
	m = h.create(p, uid)
	close(created)
	<-joined
	p.stop()
	return m
}

// Nobody would ever look for it: no row tells of it.
func TestARecordingThatIsJoinedAfterItsWorkHasEndedAndWasTidiedDoesNotStay(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	m := h.joinsLate(func(m meditation.Meditation) {
		h.exec(`UPDATE meditations SET state = 'failed', failure_reason = 'timed_out', ended_at = now(), lease_until = NULL, attempt = attempt + 1`)
		other := h.start(0, time.Minute)
		require.NoError(t, other.Sweep(context.Background()))
		require.NoError(t, other.Sweep(context.Background()))
		require.Equal(t, 1, h.count(`SELECT count(*) FROM meditations WHERE tidied`))
	})
	kept, err := h.blobs.List(t.Context(), "meditations/"+m.ID.String())
	require.NoError(t, err)
	require.Empty(t, kept)
	require.Equal(t, map[string]int{"released": 1}, h.billing.holds())
}

// Both join the same bytes under the same name.
func TestARecordingThatIsJoinedAfterAnotherWorkerHasFinishedItStays(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	m := h.joinsLate(func(m meditation.Meditation) {
		h.lapse()
		other := h.start(1, time.Hour)
		require.Equal(t, meditation.Ready, h.ended(other, m.UID, m.ID).State)
		other.stop()
	})
	require.Equal(t, wholeSound(m.ID.String()), h.audio(h.start(0, time.Minute), m.UID, m.ID))
	require.Equal(t, map[string]int{"captured": 1}, h.billing.holds())
}
