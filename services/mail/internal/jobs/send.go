// Package jobs sends the mails that wait, and tries again when a server was not ready.
//
// A mail is handed over at least once: a process that dies between the server's "250" and the
// mark sends it again, with the same Message-ID. Such attempts are counted.
package jobs

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/mail/internal/events"
	"serein.app/services/mail/internal/letters"
	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/mail/internal/smtp"
	"serein.app/services/platform/failpoint"
	platformjobs "serein.app/services/platform/jobs"
)

// Queue is River's queue of mails.
const Queue = "mail"

const (
	// attempts before a mail is given up. With the waits below they last about three hours.
	attempts = 25
	// longestWait between two attempts.
	longestWait = 10 * time.Minute
	// attemptTime bounds one attempt.
	attemptTime = time.Minute
	// contactPriority is River's lowest: letters to ourselves, which anybody may write, wait for all others.
	contactPriority = 4
)

// SendArgs asks for one mail to be sent.
type SendArgs struct {
	MailID uuid.UUID `json:"mail_id"`
}

// Kind is the stable name of the job.
func (SendArgs) Kind() string { return "mail.delivery" }

// KindAliases are names that the job had: mails queued under them are still sent.
func (SendArgs) KindAliases() []string { return []string{"send_mail"} }

// Store is what sending needs of the database.
type Store interface {
	Begin(ctx context.Context, id uuid.UUID) (l letters.Letter, uncertain int, err error)
	Postpone(ctx context.Context, id uuid.UUID) error
	Sent(ctx context.Context, id uuid.UUID) error
	Fail(ctx context.Context, id uuid.UUID, reason events.Reason) error
}

// Sender hands a letter to a mail server.
type Sender interface {
	Send(ctx context.Context, l letters.Letter, c letters.Content) error
}

// Worker sends one mail.
type Worker struct {
	river.WorkerDefaults[SendArgs]
	Store    Store
	Composer *letters.Composer
	Sender   Sender
	Now      func() time.Time
	// Wait gives the pause before the attempt after that number of attempts.
	Wait func(attempt int) time.Duration
	Log  *slog.Logger
	// Uncertain counts attempts whose end nobody learned.
	Uncertain metric.Int64Counter
}

// Timeout of one attempt.
func (w *Worker) Timeout(*river.Job[SendArgs]) time.Duration { return attemptTime }

// NextRetry is when the next attempt comes, by the queue's own clock.
func (w *Worker) NextRetry(job *river.Job[SendArgs]) time.Time {
	return time.Now().Add(w.Wait(job.Attempt))
}

// Work makes one attempt. What went wrong is logged without the letter's words.
func (w *Worker) Work(ctx context.Context, job *river.Job[SendArgs]) error {
	id := job.Args.MailID
	l, uncertain, err := w.Store.Begin(ctx, id)
	if errors.Is(err, store.ErrEnded) {
		return nil
	}
	if err != nil {
		return err
	}
	if uncertain > 0 {
		w.Uncertain.Add(ctx, 1)
		w.Log.WarnContext(ctx, "mail may arrive twice", "mail_id", id, "uncertain", uncertain)
	}
	if !w.Now().Before(l.ExpiresAt) {
		return w.Store.Fail(ctx, id, events.Expired)
	}
	content, err := w.Composer.Compose(l)
	if err != nil {
		w.Log.ErrorContext(ctx, "mail cannot be written", "mail_id", id, "error", err)
		return w.Store.Fail(ctx, id, events.Rejected)
	}
	sent := w.Sender.Send(ctx, l, content)
	failpoint.Pass("after_send_before_mark")
	return w.recordOutcome(ctx, job, sent)
}

// recordOutcome writes down what an attempt came to.
func (w *Worker) recordOutcome(ctx context.Context, job *river.Job[SendArgs], sent error) error {
	id := job.Args.MailID
	// The attempt may have used up its time, and its end must be recorded still.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	switch {
	case sent == nil:
		return w.Store.Sent(ctx, id)
	case errors.Is(sent, smtp.ErrRejected):
		w.Log.WarnContext(ctx, "mail rejected", "mail_id", id, "error", sent)
		return w.Store.Fail(ctx, id, events.Rejected)
	case job.Attempt >= job.MaxAttempts:
		w.Log.WarnContext(ctx, "mail given up", "mail_id", id, "attempts", job.Attempt, "error", sent)
		return w.Store.Fail(ctx, id, events.Exhausted)
	case errors.Is(sent, smtp.ErrUncertain):
		return sent // the next attempt finds this one open, and counts it
	}
	return errors.Join(sent, w.Store.Postpone(ctx, id))
}

// Backoff waits 1, 2, 4, 8 … seconds, at most ten minutes, each with a quarter more or less
// by chance, so that mails that failed together do not come back together.
func Backoff(chance func() float64) func(attempt int) time.Duration {
	return func(attempt int) time.Duration {
		wait := min(time.Duration(math.Exp2(float64(min(attempt, 20)-1)))*time.Second, longestWait)
		return time.Duration(float64(wait) * (0.75 + chance()/2))
	}
}

// New gives the workers.
func New(w *Worker, s *Sweeper) *river.Workers {
	workers := river.NewWorkers()
	river.AddWorker(workers, w)
	river.AddWorker(workers, s)
	return workers
}

// Enqueue adds the job that sends a mail.
func Enqueue(client *platformjobs.Client) store.Enqueue {
	return func(ctx context.Context, tx pgx.Tx, mailID uuid.UUID, template letters.Template) error {
		priority := river.PriorityDefault
		if template == letters.Contact {
			priority = contactPriority
		}
		_, err := client.InsertTx(ctx, tx, SendArgs{MailID: mailID}, &river.InsertOpts{Queue: Queue, MaxAttempts: attempts, Priority: priority})
		return err
	}
}
