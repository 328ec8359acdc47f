package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"google.golang.org/protobuf/types/known/timestamppb"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/erasure"
)

// LeavingMail mails the receipt of a wish to leave.
type LeavingMail struct {
	UID       uuid.UUID `json:"uid"`
	DeletesAt time.Time `json:"deletes_at"`
}

// Kind is the job's stable name.
func (LeavingMail) Kind() string { return "identity.leaving_mail" }

// ForLeaving is the job that mails the receipt.
func ForLeaving(uid uuid.UUID, deletesAt time.Time) river.JobArgs { return LeavingMail{uid, deletesAt} }

// Members finds whom a letter goes to. Errors: account.ErrUserNotFound.
type Members interface {
	ByUID(ctx context.Context, uid uuid.UUID) (account.Account, error)
}

// LeavingMailWorker works LeavingMail.
type LeavingMailWorker struct {
	river.WorkerDefaults[LeavingMail]
	Accounts Members
	Mail     Mailer
}

// Work sends one mail, also where the member has changed their mind since: it says what was asked for.
func (w *LeavingMailWorker) Work(ctx context.Context, job *river.Job[LeavingMail]) error {
	a, err := w.Accounts.ByUID(ctx, job.Args.UID)
	if errors.Is(err, account.ErrUserNotFound) {
		return river.JobCancel(err)
	}
	if err != nil {
		return err
	}
	_, err = w.Mail.SendMail(ctx, &mailv1.SendMailRequest{
		IdempotencyKey: fmt.Sprintf("leaving:%s:%d", a.UID, job.Args.DeletesAt.Unix()),
		Uid:            a.UID.String(), To: a.Email, GivenName: a.GivenName, ExpiresAt: timestamppb.New(job.Args.DeletesAt),
		Template: &mailv1.SendMailRequest_DeletionScheduled{
			DeletionScheduled: &mailv1.DeletionScheduled{DeletesAt: timestamppb.New(job.Args.DeletesAt)},
		},
	})
	return err
}

// LastLetter is this service's own work at a deletion, when all others are done: the receipt goes to the address that is about to be
// forgotten. It names the deletion and no member, and mail forgets the address when it is sent.
func LastLetter(accounts Members, mail Mailer) erasure.Work {
	return func(ctx context.Context, d erasure.Deletion) error {
		a, err := accounts.ByUID(ctx, d.UID)
		if errors.Is(err, account.ErrUserNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = mail.SendMail(ctx, &mailv1.SendMailRequest{
			IdempotencyKey: "deleted:" + d.ID.String(), To: a.Email, GivenName: a.GivenName,
			Template: &mailv1.SendMailRequest_AccountDeleted{AccountDeleted: &mailv1.AccountDeleted{}},
		})
		return err
	}
}

// Deletions begins what is due and tells of what is not done.
type Deletions struct{}

// Kind is the job's stable name.
func (Deletions) Kind() string { return "identity.deletions" }

// deletionsEvery is how often: it bounds how much later than its time a deletion begins.
const deletionsEvery = 15 * time.Second

// InsertOpts say that one that fails is not repeated: the next comes soon.
func (Deletions) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: deletionsEvery}}
}

// Pursuer begins deletions that are due and tells again of those that hang.
type Pursuer interface {
	PursueDeletions(ctx context.Context) error
}

// DeletionsWorker works Deletions.
type DeletionsWorker struct {
	river.WorkerDefaults[Deletions]
	Accounts Pursuer
}

// Work looks once.
func (w *DeletionsWorker) Work(ctx context.Context, _ *river.Job[Deletions]) error {
	return w.Accounts.PursueDeletions(ctx)
}
