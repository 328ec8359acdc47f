package jobs

import (
	"context"
	"errors"
	"testing"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"
)

// ring answers what a rotation comes to.
type ring struct{ err error }

func (r ring) Rotate(context.Context) error { return r.err }

func TestARotationThatFailsIsRiversToTryAgain(t *testing.T) {
	t.Parallel()
	fault := errors.New("no randomness")
	require.ErrorIs(t, (&KeyRotationWorker{Ring: ring{fault}}).Work(t.Context(), &river.Job[KeyRotation]{}), fault)
	require.NoError(t, (&KeyRotationWorker{Ring: ring{}}).Work(t.Context(), &river.Job[KeyRotation]{}))
}

func TestJobsHaveTheirOwnNames(t *testing.T) {
	t.Parallel()
	require.Equal(t, "identity.code_mail", CodeMail{}.Kind())
	require.Equal(t, "identity.key_rotation", KeyRotation{}.Kind())
	require.Subset(t, KeyRotation{}.KindAliases(), []string{"identity.cleanup"}, "a rotation that the release before has queued still runs")
	require.Len(t, Periodic(), 1)
}
