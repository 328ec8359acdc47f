package outbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A consumer may miss more events than its stream holds. A repair then makes the stream drop events that the same repair
// published and the consumer handled. If these counted as missed, the repair would publish them for ever.
func TestARepairOfMoreThanItsStreamHoldsEnds(t *testing.T) {
	t.Parallel()
	s := newShedding(t)
	stop := s.read()
	s.tell(0, 1, registered)
	require.Eventually(t, func() bool { return s.distinct() == 1 }, patience, look)
	stop()
	const events = 80 // two and a half streams
	s.tell(1, events, registered)
	s.tell(events, 200, confirmed)
	_, err := s.out.RepairOnce(t.Context())
	require.NoError(t, err)

	s.read()
	for portion, brought := s.next(), 0; portion > 0; portion = s.next() {
		brought += portion
		require.LessOrEqual(t, brought, 3*events, "%d of %d are handled, and the same come again and again", s.distinct(), events)
		require.NoError(t, s.out.PublishAll(t.Context()))
	}
	require.Eventually(t, func() bool { return s.distinct() == events }, patience, look)
}
