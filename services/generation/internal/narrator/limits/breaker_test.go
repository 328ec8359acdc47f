package limits_test

import (
	"context"
	"crypto/sha256"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/narrator/limits"
	"serein.app/services/testkit"
)

// moody is a vendor that answers everything with one error, and the budget and metrics beside it.
type moody struct {
	err   error
	asked int
	count map[string]int
}

func (m *moody) Say(context.Context, narration.Utterance) (narration.Speech, error) {
	m.asked++
	if m.err != nil {
		return narration.Speech{}, m.err
	}
	speech := narration.Speech{Rate: 24000, Samples: make([]float32, 24000)}
	for i := range speech.Samples {
		speech.Samples[i] = float32(math.Sin(float64(i)/20) / 3)
	}
	return speech, nil
}
func (*moody) HasVoice(string) bool                               { return true }
func (*moody) Check(narration.Utterance) error                    { return nil }
func (*moody) Recipe(narration.Utterance) (sum [sha256.Size]byte) { return sum }
func (*moody) Room(context.Context, budget.Cost) error            { return nil }
func (*moody) Spend(context.Context, budget.Cost) error           { return nil }
func (m *moody) OutsideCall(_ context.Context, _, outcome string) { m.count[outcome]++ }
func (*moody) OutsideCost(context.Context, string, float64)       {}

func resting(t *testing.T, err error) {
	t.Helper()
	var failure *limits.Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, limits.Resting, failure.Kind)
	require.True(t, failure.Free)
}

func TestNoRecordingBeginsWhileAVendorFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := &moody{err: limits.Break("no answer"), count: map[string]int{}}
		s := limits.New(m, limits.Config{Vendor: "moody", Calls: 2, CallTime: time.Second}, limits.Ports{Budget: m, Metrics: m, Log: testkit.Logger(t)})
		say := func() error {
			_, err := s.Speak(t.Context(), narration.Utterance{Text: "The lake is still.", Pace: 140})
			return err
		}
		for range 5 {
			require.NoError(t, s.Admit(t.Context(), 10))
			require.Error(t, say())
		}
		resting(t, s.Admit(t.Context(), 10))
		require.Equal(t, 1, m.count["resting"])

		asked := m.asked
		require.Error(t, say())
		require.Greater(t, m.asked, asked, "a recording that has begun goes on with its voice")

		time.Sleep(31 * time.Second) //nolint:forbidigo // the bubble's clock
		require.NoError(t, s.Admit(t.Context(), 10), "one may try")
		require.Error(t, say())
		resting(t, s.Admit(t.Context(), 10))

		time.Sleep(31 * time.Second) //nolint:forbidigo // the bubble's clock
		m.err = nil
		require.NoError(t, say())
		require.NoError(t, s.Admit(t.Context(), 10))
	})
}

// A text or a key that is refused says nothing about whether the vendor is well.
func TestRefusalsAreNoReasonToRest(t *testing.T) {
	t.Parallel()
	m := &moody{err: limits.Status(400, 0, nil), count: map[string]int{}}
	s := limits.New(m, limits.Config{Vendor: "moody", Calls: 2, CallTime: time.Second}, limits.Ports{Budget: m, Metrics: m, Log: testkit.Logger(t)})
	for range 9 {
		_, err := s.Speak(t.Context(), narration.Utterance{Text: "The lake is still.", Pace: 140})
		require.Error(t, err)
	}
	require.NoError(t, s.Admit(t.Context(), 10))
}
