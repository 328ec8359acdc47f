// Package jobs is identity's background work: mailing codes, replacing signing keys, and pursuing deletions.
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
)

// Letter is what the mail of a code needs to know.
type Letter struct {
	Code account.Code
	// Account that signed up.
	Account account.Account
	// Reserved: the address of the sign-up or of the forgotten password belongs to a confirmed account, Owner. The letter then goes to
	// its owner, without a code.
	Reserved bool
	Owner    account.Account
	// Change that the code is for; the zero value for none.
	Change account.AddressChange
}

// Letters finds letters. Errors: account.ErrUserNotFound.
type Letters interface {
	Letter(ctx context.Context, codeID uuid.UUID) (Letter, error)
}

// Mailer enqueues mails; the generated mail client is one.
type Mailer interface {
	SendMail(ctx context.Context, req *mailv1.SendMailRequest) (*mailv1.SendMailResponse, error)
}

// CodeMail mails a code. It carries the id alone: the code is derived from it.
type CodeMail struct {
	CodeID uuid.UUID `json:"code_id"`
}

// Kind is the job's stable name.
func (CodeMail) Kind() string { return "identity.code_mail" }

// KindAliases are names that the job had: codes queued under them are still mailed.
func (CodeMail) KindAliases() []string { return []string{"identity.send_code"} }

// InsertOpts retries for as long as a code is good: River waits attempt^4 seconds, so six
// attempts are spread over about sixteen minutes; one whose code is over by then sends nothing.
func (CodeMail) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 6} }

// For is the job that mails the code of that id.
func For(codeID uuid.UUID) river.JobArgs { return CodeMail{CodeID: codeID} }

// CodeMailWorker works CodeMail.
type CodeMailWorker struct {
	river.WorkerDefaults[CodeMail]
	Letters Letters
	Codes   *account.Codes
	Mail    Mailer
	Now     func() time.Time
	// StopURL is the page that stops a change of address, up to its token.
	StopURL string
}

// Work sends one mail. A code that is no longer good is not sent.
func (w *CodeMailWorker) Work(ctx context.Context, job *river.Job[CodeMail]) error {
	l, err := w.Letters.Letter(ctx, job.Args.CodeID)
	if errors.Is(err, account.ErrUserNotFound) {
		return nil // the account has gone, or there was none when a code was asked for
	}
	if err != nil {
		return err
	}
	if l.Code.Used || l.Code.Replaced || !w.Now().Before(l.Code.ExpiresAt) {
		return nil
	}
	if _, err = w.Mail.SendMail(ctx, w.request(l)); err != nil {
		return fmt.Errorf("enqueue the code's mail: %w", err)
	}
	return nil
}

func (w *CodeMailWorker) request(l Letter) *mailv1.SendMailRequest {
	to := l.Account
	if l.Reserved {
		to = l.Owner
	}
	req := &mailv1.SendMailRequest{
		IdempotencyKey: l.Code.ID.String(), Uid: to.UID.String(), To: to.Email,
		ExpiresAt: timestamppb.New(l.Code.ExpiresAt),
	}
	if l.Reserved {
		req.GivenName = to.GivenName
		req.Template = &mailv1.SendMailRequest_AccountExists{AccountExists: &mailv1.AccountExists{Username: to.Username}}
		return req
	}
	// Whose address an unconfirmed account has is not proved, so nobody's own words stand in the greeting or beside the
	// address: a stranger could write a sentence into somebody else's mailbox.
	if to.Confirmed {
		req.GivenName = to.GivenName
	}
	w.template(req, l)
	return req
}

// template adds the words that the code's kind asks for.
func (w *CodeMailWorker) template(req *mailv1.SendMailRequest, l Letter) {
	code, username := w.Codes.Digits(l.Code), l.Account.Username
	switch l.Code.Kind {
	case account.CodePasswordReset:
		req.Template = &mailv1.SendMailRequest_PasswordReset{PasswordReset: &mailv1.PasswordReset{Code: code, Username: username}}
	case account.CodeAddressNew:
		req.To, req.GivenName = l.Change.Email, "" // it is not proved either
		req.Template = &mailv1.SendMailRequest_AddressCode{AddressCode: &mailv1.AddressCode{Code: code, Username: username}}
	case account.CodeAddressPresent:
		req.Template = &mailv1.SendMailRequest_AddressNotice{AddressNotice: &mailv1.AddressNotice{
			Code: code, Username: username, NewAddress: l.Change.Email, Stop: w.StopURL + w.Codes.StopToken(l.Change.ID),
		}}
	default:
		req.Template = &mailv1.SendMailRequest_ConfirmationCode{ConfirmationCode: &mailv1.ConfirmationCode{Code: code, Username: username}}
	}
}

// KeyRotation replaces an old signing key.
type KeyRotation struct{}

// Kind is the job's stable name.
func (KeyRotation) Kind() string { return "identity.key_rotation" }

// KindAliases are names that the job had.
func (KeyRotation) KindAliases() []string { return []string{"identity.cleanup", "identity.tidy"} }

// InsertOpts say that one that fails is tried again soon, but not until the next.
func (KeyRotation) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 3} }

// Rotator replaces an old signing key.
type Rotator interface {
	Rotate(ctx context.Context) error
}

// KeyRotationWorker works KeyRotation.
type KeyRotationWorker struct {
	river.WorkerDefaults[KeyRotation]
	Ring Rotator
}

// Work replaces the key if it is old.
func (w *KeyRotationWorker) Work(ctx context.Context, _ *river.Job[KeyRotation]) error {
	return w.Ring.Rotate(ctx)
}

// Periodic is the plan. For keys an hour is often enough, and soon enough after a start.
func Periodic() []*river.PeriodicJob {
	every := func(period time.Duration, job river.JobArgs) *river.PeriodicJob {
		return river.NewPeriodicJob(river.PeriodicInterval(period),
			func() (river.JobArgs, *river.InsertOpts) { return job, nil }, &river.PeriodicJobOpts{RunOnStart: true})
	}
	return []*river.PeriodicJob{every(time.Hour, KeyRotation{}), every(deletionsEvery, Deletions{})}
}
