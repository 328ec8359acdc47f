package bus_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/bus"
)

// An inbox remembers an event for 90 days: 30 in the outbox, 30 in the stream, 30 spare.
func TestAStreamKeepsNoEventForLongerThanInboxesRemember(t *testing.T) {
	t.Parallel()
	require.NoError(t, bus.Config{StreamAge: 30 * 24 * time.Hour}.Validate())
	require.ErrorContains(t, bus.Config{StreamAge: 30*24*time.Hour + time.Second}.Validate(), "NATS_STREAM_AGE")
}
