package narration_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
)

func TestARecordingGivesItsFirstSegmentAtOnceAndTheRestNoFasterThanTheLimit(t *testing.T) {
	t.Parallel()
	codec := openCodec(t)
	synctest.Test(t, func(t *testing.T) {
		limited := newRecorder(t, hum{}, codec, 2)
		limited.SpeedLimit = 4
		began := time.Now()
		var sound time.Duration
		require.NoError(t, limited.Record(t.Context(), "maren", script, 0, 0, func(s recording.Segment, _ []byte) error {
			require.Equal(t, sound/4, time.Since(began))
			sound += s.Duration
			return nil
		}))
		require.NotZero(t, sound)
	})
}

func TestARecordingThatFellBehindDoesNotCatchUp(t *testing.T) {
	t.Parallel()
	codec := openCodec(t)
	synctest.Test(t, func(t *testing.T) {
		limited := newRecorder(t, hum{}, codec, 2)
		limited.SpeedLimit = 4
		var last time.Time
		var sound time.Duration
		require.NoError(t, limited.Record(t.Context(), "maren", script, 0, 0, func(s recording.Segment, _ []byte) error {
			if sound > 0 {
				require.GreaterOrEqual(t, time.Since(last), sound/4)
			}
			if last.IsZero() {
				time.Sleep(time.Hour) //nolint:forbidigo // the bubble's clock: the first segment is kept after a pause
			}
			last, sound = time.Now(), s.Duration
			return nil
		}))
	})
}

func TestWithoutALimitARecordingWaitsForNothing(t *testing.T) {
	t.Parallel()
	codec := openCodec(t)
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		record(t, newRecorder(t, hum{}, codec, 2), "maren", script, 0, 0)
		require.Equal(t, began, time.Now())
	})
}
