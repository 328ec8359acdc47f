package meditation

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
)

// racing finishes another passage between the reading of the state and that of the segments.
type racing struct {
	Store
	done int
}

func (r *racing) Get(context.Context, uuid.UUID, uuid.UUID) (Meditation, error) {
	return Meditation{State: Narrating, Version: int64(r.done), PassagesDone: r.done}, nil
}

func (r *racing) Segments(_ context.Context, _ uuid.UUID, from int) (segments []recording.Segment, err error) {
	r.done++
	for i := from; i < r.done; i++ {
		segments = append(segments, recording.Segment{Index: i})
	}
	return segments, nil
}

func (*racing) FreeCancellations(context.Context, uuid.UUID, time.Time) (int, error) { return 0, nil }

func TestAnUpdateHoldsNoSegmentThatItsStateDoesNotCount(t *testing.T) {
	t.Parallel()
	next := 0
	w := watch{service: &Service{Ports: Ports{Store: &racing{done: 1}, Now: time.Now}}, send: func(u Update) error {
		for _, s := range u.Segments {
			require.Equal(t, next, s.Index)
			next++
		}
		require.Equal(t, u.Meditation.PassagesDone, next)
		return nil
	}}
	for range 3 {
		_, err := w.look(t.Context(), false)
		require.NoError(t, err)
	}
	require.Equal(t, 3, next)
}
