package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../../.."

func TestThePageIsAsWorkedOut(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, page))
	require.NoError(t, err)
	wanted, err := tables(root, tenMillion())
	require.NoError(t, err)
	for name, table := range wanted {
		written, err := between(text, name, table)
		require.NoError(t, err)
		require.Equal(t, string(written), string(text), "go run ./deploy/k8s/capacity -write")
	}
}

func TestSharesAreWhole(t *testing.T) {
	t.Parallel()
	var hourly, bySize float64
	for _, share := range hours {
		hourly += share
	}
	for _, s := range sizes {
		bySize += s.Share
	}
	require.InDelta(t, 1, hourly, 1e-9)
	require.InDelta(t, 1, bySize, 1e-9)
}

// Twice as many members need twice as much of everything but the store of sentences.
func TestNeedGrowsWithMembers(t *testing.T) {
	t.Parallel()
	one, two := Of(tenMillion()), Of(tenMillion().of(20e6))
	require.InEpsilon(t, 2*one.Rows, two.Rows, 1e-9)
	require.InEpsilon(t, 2*one.Egress, two.Egress, 1e-9)
	require.InEpsilon(t, 2*one.Processors["narration"], two.Processors["narration"], 1e-9)
	require.Equal(t, one.Spoken, two.Spoken) //nolint:testifylint // the same constant
}

func TestAStudioThatIsLargeEnoughRefusesNobody(t *testing.T) {
	t.Parallel()
	d := tenMillion().of(100_000)
	studio := studioFor(d)
	day := studio.play(d, 1)
	require.InDelta(t, d.Meditations, day.Asked, d.Meditations/20)
	require.Zero(t, day.Refused)
	require.Equal(t, day, studio.play(d, 1), "the same seed plays the same day")
}

func TestAStudioThatIsTooSmallRefusesInsteadOfKeepingMembersWaiting(t *testing.T) {
	t.Parallel()
	d := tenMillion().of(100_000)
	studio := studioFor(d)
	studio.Least, studio.Most = 1, studio.Most/3
	day := studio.play(d, 1)
	require.Positive(t, day.Refused)
	require.LessOrEqual(t, day.Worst, float64(longest))
}
