package spoken_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/spoken"
	"serein.app/services/platform/blob"
	"serein.app/services/testkit"
)

// refuses is a blob store that does not store every second file.
type refuses struct {
	blob.Store
	asked atomic.Int32
}

func (r *refuses) Put(ctx context.Context, key string, data io.Reader, size int64) error {
	if r.asked.Add(1)%2 == 0 {
		return errors.New("no route")
	}
	return r.Store.Put(ctx, key, data, size)
}

func TestWhatTheBlobStoreRefusedLeavesNoRowAndTheRestStays(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	store := &refuses{Store: s.blobs}
	p := s.open(plenty, func(ports *spoken.Ports) { ports.Blobs = store })
	for i := range 6 {
		p.SpeakExactly(t, fmt.Sprintf("Breath %d.", i))
	}
	require.Eventually(t, func() bool { return store.asked.Load() == 6 }, testkit.Patience, 2*time.Millisecond)
	s.stored(3)
	p.stop()
	require.Len(t, s.files(), 3)
	sweeper := s.open(plenty)
	require.NoError(t, sweeper.Sweep(t.Context()))
	require.Len(t, s.rows(), 6, "they may be stored just now")
	s.pass(time.Hour)
	require.NoError(t, sweeper.Sweep(t.Context()))
	require.Equal(t, 3, sweeper.removed)
	s.kept(3)
	s.pass(100 * time.Hour)
	require.NoError(t, sweeper.Sweep(t.Context()))
	s.kept(3)
}

// stored waits until the rows of that many sentences say that the file is there.
func (s *shop) stored(n int) {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		var stored int
		err := s.db.Pool.QueryRow(s.t.Context(), `SELECT count(*) FROM spoken WHERE stored`).Scan(&stored)
		return err == nil && stored == n
	}, testkit.Patience, 2*time.Millisecond)
}

// cutOff is an index whose transaction ends after the files are stored and before the rows say so.
type cutOff struct{ spoken.Index }

func (c cutOff) WhileNoted(ctx context.Context, keys []spoken.Key, store func(context.Context, []spoken.Key) ([]spoken.Key, error)) error {
	return c.Index.WhileNoted(ctx, keys, func(ctx context.Context, noted []spoken.Key) ([]spoken.Key, error) {
		_, err := store(ctx, noted)
		return nil, err
	})
}

func TestAFileWhoseRowDoesNotSayThatItIsThereIsRemovedOrStoredAgain(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	p := s.open(plenty, func(ports *spoken.Ports) { ports.Index = cutOff{s.index} })
	for i := range 12 { // more than one transaction removes
		p.SpeakExactly(t, fmt.Sprintf("Breath %d.", i))
	}
	files := s.kept(12)
	p.stop()
	s.pass(time.Hour)
	require.NoError(t, s.blobs.Delete(t.Context(), files[0]))
	again := s.open(plenty)
	for i := range 12 {
		again.SpeakExactly(t, fmt.Sprintf("Breath %d.", i))
	}
	require.Equal(t, 11, again.hits)
	s.stored(1)
	again.stop()
	s.kept(12)
	s.pass(time.Hour)
	require.NoError(t, s.open(plenty).Sweep(t.Context()))
	s.kept(1)
}
