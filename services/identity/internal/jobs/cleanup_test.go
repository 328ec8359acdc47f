package jobs

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"serein.app/services/testkit"
)

// halves are the two things that a clean-up does.
type halves struct {
	cleanErr, rotateErr error
	cleanedAt           time.Time
	rotated             int
}

func (h *halves) Clean(_ context.Context, now time.Time) (int64, error) {
	h.cleanedAt = now
	return 3, h.cleanErr
}

func (h *halves) Rotate(context.Context) error {
	h.rotated++
	return h.rotateErr
}

func TestCleaningAndReplacingTheKeyDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
	table, key := errors.New("a table is locked"), errors.New("no randomness")
	for name, h := range map[string]*halves{
		"both well": {}, "cleaning fails": {cleanErr: table}, "the key fails": {rotateErr: key}, "both fail": {cleanErr: table, rotateErr: key},
	} {
		w := &CleanupWorker{Store: h, Ring: h, Now: func() time.Time { return now }, Log: testkit.Logger(t)}
		err := w.Work(t.Context(), &river.Job[Cleanup]{})
		require.Equal(t, now, h.cleanedAt, name)
		require.Equal(t, 1, h.rotated, name)
		require.Equal(t, h.cleanErr != nil, errors.Is(err, table), name)
		require.Equal(t, h.rotateErr != nil, errors.Is(err, key), "%s: a failure is River's to try again", name)
	}
}

func TestJobsHaveTheirOwnNames(t *testing.T) {
	t.Parallel()
	require.Equal(t, "identity.code_mail", CodeMail{}.Kind())
	require.Equal(t, "identity.cleanup", Cleanup{}.Kind())
	require.Len(t, Periodic(), 1)
}
