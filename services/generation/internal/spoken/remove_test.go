package spoken_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/spoken"
	"serein.app/services/platform/blob"
	"serein.app/services/testkit"
)

// bytes of all kept sentences.
func (s *shop) bytes() int64 {
	s.t.Helper()
	kept, err := s.index.SpokenBytes(s.t.Context())
	require.NoError(s.t, err)
	var sum int64
	require.NoError(s.t, s.db.Pool.QueryRow(s.t.Context(), `SELECT coalesce(sum(bytes), 0) FROM spoken`).Scan(&sum))
	require.Equal(s.t, sum, kept)
	return kept
}

func TestBeyondTheLimitWhatWasUsedTheLongestAgoGoes(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	first := s.open(plenty)
	for i := range 3 {
		first.SpeakExactly(t, fmt.Sprintf("Breath %d.", i))
		s.kept(i + 1)
		s.pass(time.Hour)
	}
	require.NoError(t, first.Sweep(t.Context()))
	require.Zero(t, first.removed, "nothing is beyond the limit")
	limit := s.bytes() - 1 // one has to go

	require.False(t, s.open(limit).say(everybody("Breath 0.")), "it is the last one used now")
	require.Eventually(t, func() bool {
		var days int
		err := s.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM spoken WHERE used_at = $1`, s.clock()).Scan(&days)
		return err == nil && days == 1
	}, testkit.Patience, 10*time.Millisecond)
	p := s.open(limit)
	require.NoError(t, p.Sweep(t.Context()))
	require.Equal(t, 1, p.removed)
	s.kept(2)
	require.False(t, p.say(everybody("Breath 0.")))
	require.False(t, p.say(everybody("Breath 2.")))
	require.True(t, p.say(everybody("Breath 1.")))
}

// Another process has removed the sentence, and this one still has it in its memory.
func TestASentenceThatWasRemovedGetsNoRowByItsUse(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.open(plenty).SpeakExactly(t, "Rest here.")
	s.kept(1)
	var name []byte
	require.NoError(t, s.db.Pool.QueryRow(t.Context(), `SELECT key FROM spoken`).Scan(&name))
	key := spoken.Key(name)
	require.NoError(t, s.index.UseSpoken(t.Context(), []spoken.Key{key}, s.clock().Add(time.Hour)))
	s.kept(1)
	require.NoError(t, s.open(0).Sweep(t.Context()))
	s.kept(0)
	require.NoError(t, s.index.UseSpoken(t.Context(), []spoken.Key{key}, s.clock().Add(2*time.Hour)))
	s.kept(0)
}

func TestALimitOfNothingKeepsNothingAndRemovesWhatIsThere(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	keeps := s.open(plenty)
	for i := range 120 { // more than are removed at once
		keeps.SpeakExactly(t, fmt.Sprintf("Breath %d.", i))
		if i%40 == 39 { // as many as may wait
			s.kept(i + 1)
		}
	}
	keeps.stop()
	p := s.open(0)
	require.NoError(t, p.Sweep(t.Context()))
	s.kept(0)
	require.True(t, p.say(everybody("Breath 0.")))
	require.True(t, p.say(everybody("Breath 0.")))
	p.stop()
	s.kept(0)
}

// breaks is a blob store in which the third removal fails.
type breaks struct {
	blob.Store
	removed *int
}

func (b breaks) Delete(ctx context.Context, key string) error {
	if *b.removed++; *b.removed == 3 {
		return errors.New("no route")
	}
	return b.Store.Delete(ctx, key)
}

// A removal that ends in the middle leaves rows without files, which are removed once more, and no file without a row.
func TestARemovalThatBreaksOffIsDoneAgain(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	keeps := s.open(plenty)
	for i := range 5 {
		keeps.SpeakExactly(t, fmt.Sprintf("Breath %d.", i))
	}
	s.kept(5)
	keeps.stop()
	removed := 0
	p := s.open(0, func(ports *spoken.Ports) { ports.Blobs = breaks{s.blobs, &removed} })
	require.ErrorContains(t, p.Sweep(t.Context()), "no route")
	require.Zero(t, p.removed)
	require.Len(t, s.rows(), 5)
	require.Len(t, s.files(), 3)
	require.NoError(t, p.Sweep(t.Context()))
	require.Equal(t, 5, p.removed)
	s.kept(0)
}

func TestWhateverIsRemovedMeanwhileEveryFileHasItsRow(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	var speaking, sweeping sync.WaitGroup
	done := make(chan struct{})
	sweeper := s.open(10_000)
	sweeping.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				require.NoError(t, sweeper.Sweep(t.Context()))
			}
		}
	})
	var processes []*process
	for range 3 {
		p := s.open(10_000)
		processes = append(processes, p)
		speaking.Go(func() {
			for i := range 60 {
				p.SpeakExactly(t, fmt.Sprintf("Breath %d.", i%20))
			}
		})
	}
	speaking.Wait()
	for _, p := range processes {
		p.stop()
	}
	close(done)
	sweeping.Wait()
	require.Subset(t, s.rows(), s.files())
	require.NoError(t, sweeper.Sweep(t.Context()))
	require.LessOrEqual(t, s.bytes(), int64(10_000))
	require.Subset(t, s.rows(), s.files())
}
