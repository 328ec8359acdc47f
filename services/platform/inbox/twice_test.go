package inbox_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/testkit"
)

// What went out again from the outbox may stand in the stream beside what it repeats, and be read with it.
func TestAnEventThatStandsTwiceInOneBatchIsAppliedOnce(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	c := consumer(t, db, apply)
	first := envelope(t, uuid.NewString(), uuid.NewString(), &eventsv1.UserRegistered{})
	second := envelope(t, uuid.NewString(), uuid.NewString(), &eventsv1.UserRegistered{})
	led, err := c.Exclusive(t.Context(), func(ctx context.Context, apply bus.Apply) error {
		return apply(ctx, []*eventsv1.Envelope{first, second, first})
	})
	require.NoError(t, err)
	require.True(t, led)
	require.Equal(t, 2, effects(t, db))
}
