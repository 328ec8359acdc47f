package jobs

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"google.golang.org/protobuf/types/known/timestamppb"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/identity/internal/account"
)

// The letters.
const (
	// PasswordChanged tells a member that their password is another one.
	PasswordChanged = "password_changed"
	// AddressChanged tells the former address of a member that they have another; its ID is that of the change.
	AddressChanged = "address_changed"
	// NewDevice tells a member that they have signed in with a browser that was not known; its ID is that of the session.
	NewDevice = "new_device"
	// PasskeyAdded and PasskeyRemoved tell a member that there is one way in more or less.
	PasskeyAdded   = "passkey_added"
	PasskeyRemoved = "passkey_removed"
	// SecondStepOn and SecondStepOff tell a member that they are asked for a code beside their password, or no more.
	SecondStepOn  = "second_step_on"
	SecondStepOff = "second_step_off"
	// RecoveryCodeUsed tells a member that one of their recovery codes was taken in the place of a code.
	RecoveryCodeUsed = "recovery_code_used"
)

// SignedIn is where a member has signed in, in words; Place is empty where it is not known.
type SignedIn struct{ Device, Place string }

// signedOut stands for a session that has ended before its letter was written.
var signedOut = SignedIn{Device: "A browser that has signed out again"}

// AccountMail tells a member what was changed at their account. It names them by uid alone.
type AccountMail struct {
	// ID is the letter's, so that it is one however often it is tried.
	ID     uuid.UUID `json:"id"`
	UID    uuid.UUID `json:"uid"`
	Letter string    `json:"letter"`
}

// Kind is the job's stable name.
func (AccountMail) Kind() string { return "identity.account_mail" }

// InsertOpts retries for about a day and a half (attempt^4 seconds).
func (AccountMail) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 14} }

// Accounts finds members. Errors: account.ErrUserNotFound.
type Accounts interface {
	ByUID(ctx context.Context, uid uuid.UUID) (account.Account, error)
	// AddressChangeByID finds a change of an address. Errors: account.ErrNoChange.
	AddressChangeByID(ctx context.Context, id uuid.UUID) (account.AddressChange, error)
	// SignedIn finds a session. Errors: account.ErrUserNotFound for one that has ended.
	SignedIn(ctx context.Context, sid uuid.UUID) (SignedIn, error)
}

// AccountMailWorker works AccountMail.
type AccountMailWorker struct {
	river.WorkerDefaults[AccountMail]
	Accounts Accounts
	Mail     Mailer
}

// Work sends one mail. For an account that is gone it sends nothing.
func (w *AccountMailWorker) Work(ctx context.Context, job *river.Job[AccountMail]) error {
	a, err := w.Accounts.ByUID(ctx, job.Args.UID)
	if err == nil {
		err = w.send(ctx, job, a)
	}
	if errors.Is(err, account.ErrUserNotFound) || errors.Is(err, account.ErrNoChange) {
		return nil
	}
	return err
}

func (w *AccountMailWorker) send(ctx context.Context, job *river.Job[AccountMail], a account.Account) error {
	req := &mailv1.SendMailRequest{
		IdempotencyKey: job.Args.ID.String(), Uid: a.UID.String(), To: a.Email, GivenName: a.GivenName,
		ExpiresAt: timestamppb.New(job.CreatedAt.Add(account.NoticeLife)),
	}
	switch job.Args.Letter {
	case PasswordChanged:
		req.Template = &mailv1.SendMailRequest_PasswordChanged{PasswordChanged: &mailv1.PasswordChanged{Username: a.Username}}
	case AddressChanged:
		c, err := w.Accounts.AddressChangeByID(ctx, job.Args.ID)
		if err != nil {
			return err
		}
		req.To = c.FormerEmail
		req.Template = &mailv1.SendMailRequest_AddressChanged{AddressChanged: &mailv1.AddressChanged{Username: a.Username, NewAddress: c.Email}}
	case PasskeyAdded:
		req.Template = &mailv1.SendMailRequest_PasskeyAdded{PasskeyAdded: &mailv1.PasskeyAdded{Username: a.Username}}
	case PasskeyRemoved:
		req.Template = &mailv1.SendMailRequest_PasskeyRemoved{PasskeyRemoved: &mailv1.PasskeyRemoved{Username: a.Username}}
	case SecondStepOn:
		req.Template = &mailv1.SendMailRequest_SecondStepOn{SecondStepOn: &mailv1.SecondStepOn{Username: a.Username}}
	case SecondStepOff:
		req.Template = &mailv1.SendMailRequest_SecondStepOff{SecondStepOff: &mailv1.SecondStepOff{Username: a.Username}}
	case RecoveryCodeUsed:
		req.Template = &mailv1.SendMailRequest_RecoveryCodeUsed{RecoveryCodeUsed: &mailv1.RecoveryCodeUsed{Username: a.Username}}
	case NewDevice:
		at, err := w.Accounts.SignedIn(ctx, job.Args.ID)
		if errors.Is(err, account.ErrUserNotFound) {
			at, err = signedOut, nil
		}
		if err != nil {
			return err
		}
		req.Template = &mailv1.SendMailRequest_NewDevice{NewDevice: &mailv1.NewDevice{
			Username: a.Username, Device: at.Device, Place: at.Place, SignedInAt: timestamppb.New(job.CreatedAt),
		}}
	default:
		return fmt.Errorf("no letter %q", job.Args.Letter) // of a later release, which another replica may be
	}
	if _, err := w.Mail.SendMail(ctx, req); err != nil {
		return fmt.Errorf("enqueue the letter: %w", err)
	}
	return nil
}
