package generation

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/blob"
)

// stuckBlobs cannot forget some folders.
type stuckBlobs struct {
	blob.Store
	mu    sync.Mutex
	stuck map[string]bool
	asked int
}

func (b *stuckBlobs) DeleteFolder(ctx context.Context, folder string) error {
	b.mu.Lock()
	stuck := b.stuck[strings.Split(folder, "/")[1]]
	if stuck {
		b.asked++
	}
	b.mu.Unlock()
	if stuck {
		return errDisk
	}
	return b.Store.DeleteFolder(ctx, folder)
}

func TestWhatCannotBeTidiedDoesNotStandBeforeTheRest(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	blobs := &stuckBlobs{Store: h.blobs, stuck: map[string]bool{}}
	p := h.start(0, time.Minute, func(ports *meditation.Ports) { ports.Blobs = blobs })
	const page = 100 // of what one sweep looks at
	h.exec(`INSERT INTO meditations (id, uid, title, type_id, practice_id, size_id, immersive, track_id, day, brief, narrator_id,
			narrator_name, cost, hold_id, state, settled, next_try_at, created_at, deadline, ended_at)
		SELECT gen_random_uuid(), gen_random_uuid(), 'x', 'x', 'x', 'x', false, '', '2026-11-21', '{}', 'x', 'x', 1, gen_random_uuid(),
			'cancelled', true, now() - interval '1 day', now(), now() + interval '1 minute', now() FROM generate_series(1, $1)`, page)
	rows, err := h.db.Pool.Query(t.Context(), `SELECT id FROM meditations`)
	require.NoError(t, err)
	for rows.Next() {
		var id uuid.UUID
		require.NoError(t, rows.Scan(&id))
		blobs.stuck[id.String()] = true
	}
	require.NoError(t, rows.Err())
	require.ErrorIs(t, p.Sweep(t.Context()), errDisk)
	require.Equal(t, page, blobs.asked)

	h.exec(`INSERT INTO meditations (id, uid, title, type_id, practice_id, size_id, immersive, track_id, day, brief, narrator_id,
			narrator_name, cost, hold_id, state, settled, created_at, deadline, ended_at)
		SELECT gen_random_uuid(), gen_random_uuid(), 'y', 'x', 'x', 'x', false, '', '2026-11-21', '{}', 'x', 'x', 1, gen_random_uuid(),
			'cancelled', true, now(), now() + interval '1 minute', now()`)
	_ = p.Sweep(t.Context()) // of the others some may be due again
	require.Equal(t, 1, h.count(`SELECT count(*) FROM meditations WHERE title = 'y' AND tidied`))
	h.exec(`UPDATE meditations SET tries = 20`)
	h.exec(`UPDATE meditations SET next_try_at = now() WHERE NOT tidied`)
	require.Error(t, p.Sweep(t.Context()))
	asked := blobs.asked
	require.NoError(t, p.Sweep(t.Context()), "all of them wait")
	require.Equal(t, asked, blobs.asked)
}
