package view

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/metric/noop"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
)

// After a loss, and after a silence as long as an answer may be wrong, the view asks again for every answer from before. A newer answer
// holds while every event arrives, and no answer for longer than a minute.
func TestALossOrASilenceDropsEarlierAnswers(t *testing.T) {
	t.Parallel()
	for name, whole := range map[string]bool{"a loss": false, "a silence": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := time.Now()
			now := func() time.Time { return at }
			source := NewSource(followed, now)
			part, err := NewPart("test", source, func(context.Context, string) (int, time.Time, error) { return 1, time.Time{}, nil }, noop.Meter{}, now)
			require.NoError(t, err)
			uid := uuid.NewString()
			known := func() bool { _, known := part.Current(uid); return known }
			hears := func(passes time.Duration, whole bool) {
				at = at.Add(passes)
				source.Upto(at, whole)
			}
			asks := func() {
				at = at.Add(time.Millisecond)
				_, err := part.Get(t.Context(), uid)
				require.NoError(t, err)
			}

			hears(0, false)
			asks()
			hears(Wrong-2*time.Millisecond, true)
			hears(Wrong-2*time.Millisecond, true)
			require.True(t, known(), "every change has arrived")
			if whole {
				hears(Wrong, true)
			} else {
				hears(time.Millisecond, false)
			}
			require.False(t, known(), "it was asked for before %s", name)

			asks()
			for range oldest/time.Second - 1 {
				hears(time.Second, true)
				require.True(t, known())
			}
			hears(time.Second, true)
			require.False(t, known(), "whatever was heard, a minute is the most")
		})
	}
}

// What an editor publishes is no member's: where a source says that it changes what all are shown, nobody's answer outlives it.
func TestAnEventThatIsAboutNobodyMakesEverybodysAnswersOldWhereTheyShareIt(t *testing.T) {
	t.Parallel()
	for _, shared := range []bool{true, false} {
		at := time.Now()
		now := func() time.Time { return at }
		source := NewSource(followed, now)
		source.shared = shared
		part, err := NewPart("test", source, func(context.Context, string) (int, time.Time, error) { return 1, time.Time{}, nil }, noop.Meter{}, now)
		require.NoError(t, err)
		uid := uuid.NewString()
		source.Upto(at, false)
		at = at.Add(time.Millisecond)
		_, err = part.Get(t.Context(), uid)
		require.NoError(t, err)
		at = at.Add(time.Second)
		source.OnEvent(&eventsv1.Envelope{})
		for range 2 {
			source.Upto(at, true)
			at = at.Add(Wrong / 2)
		}
		_, known := part.Current(uid)
		require.Equal(t, !shared, known)
	}
}
