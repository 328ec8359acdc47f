package account

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/errs"
	"serein.app/services/platform/seclog"
)

// DeletionDelay is how long a member may change their mind.
const DeletionDelay = 14 * 24 * time.Hour

// tellsOfDeletion is how often identity publishes a deletion, at most. tellAgain spreads the attempts over four days. A deletion that
// still waits after that needs an operator, and a metric shows it.
const tellsOfDeletion = 12

// tellAgain is the pause after that many tellings.
func tellAgain(told int) time.Duration { return min(time.Minute<<min(told, 20), 12*time.Hour) }

// DeletionStore keeps who leaves. Every method is one transaction.
type DeletionStore interface {
	// ScheduleDeletion marks the account, ends its sessions and grants, and enqueues the receipt and the event. One that is marked
	// already stays as it is, and its moment is the answer. Errors: ErrUserNotFound.
	ScheduleDeletion(ctx context.Context, uid uuid.UUID, deletesAt, now time.Time) (time.Time, error)
	// KeepAccount cancels the account's deletion, with an event. An account that is not to be deleted stays as it is. Errors:
	// ErrUserNotFound, also after the time to undo the deletion.
	KeepAccount(ctx context.Context, uid uuid.UUID, now time.Time) error
	// BeginDeletions begins those whose time is over.
	BeginDeletions(ctx context.Context, newID func() uuid.UUID, now time.Time) error
	// TellDeletions publishes one event for each deletion that is due for it, at most `most` times a deletion.
	TellDeletions(ctx context.Context, most int, again func(told int) time.Duration, now time.Time) error
}

// ScheduleDeletion has a member's account deleted after the time to undo it; address is the caller's network address. The member gives
// the password, as for every change that matters. An account that is to be deleted already stays as it is, and the session that the first
// call ended may ask again, since it may have lost the answer. Errors: ErrWrongPassword and ErrSecondStepMissing for the field password,
// ErrTooManyRequests, ErrUserNotFound.
func (s *Service) ScheduleDeletion(ctx context.Context, m Signed, password, address string) (deletesAt time.Time, err error) {
	var a Account
	defer func() { s.record(ctx, seclog.Deletion, a.UID, a.Username, address, err) }()
	a, err = s.proveAgain(ctx, m, password)
	if err == nil && a.DeletesAt == nil {
		err = s.requireSecondStep(ctx, a, m)
	}
	if err != nil {
		return time.Time{}, onPassword(err)
	}
	now := s.now().UTC().Truncate(time.Microsecond)
	return s.store.ScheduleDeletion(ctx, a.UID, now.Add(DeletionDelay), now)
}

// onPassword names the field of a deletion's request.
func onPassword(err error) error {
	var e *errs.Error
	if errors.As(err, &e) && e.Reason == ErrWrongPassword.Reason {
		return e.On("password")
	}
	return err
}

// KeepAccount undoes the deletion that a member asked for. Errors: ErrUserNotFound, also when it is too late.
func (s *Service) KeepAccount(ctx context.Context, uid uuid.UUID) error {
	return s.store.KeepAccount(ctx, uid, s.now())
}

// PursueDeletions begins the deletions that are due, and tells the services again of those that some have not done. It runs on one
// replica at a time and does no harm on several.
func (s *Service) PursueDeletions(ctx context.Context) error {
	now := s.now().UTC().Truncate(time.Microsecond)
	return errors.Join(s.store.BeginDeletions(ctx, s.newID, now), s.store.TellDeletions(ctx, tellsOfDeletion, tellAgain, now))
}

// gone says whether the time to undo a deletion is over: nobody signs in any more.
func (s *Service) gone(a Account) bool { return a.DeletesAt != nil && !s.now().Before(*a.DeletesAt) }
