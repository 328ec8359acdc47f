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
	for name, job := range map[string]river.JobArgs{
		"identity.code_mail": CodeMail{}, "identity.account_mail": AccountMail{}, "identity.leaving_mail": LeavingMail{},
		"identity.logout_notice": LogoutNotice{}, "identity.key_rotation": KeyRotation{}, "identity.deletions": Deletions{},
	} {
		require.Equal(t, name, job.Kind(), "what another release has queued still runs")
	}
	require.Subset(t, KeyRotation{}.KindAliases(), []string{"identity.cleanup"}, "a rotation that the release before has queued still runs")
	require.Len(t, Periodic(), 2)
}
