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

// Queue is River's queue of mails. Mails that somebody waits for have a separate queue with separate workers, so that a server that
// is slow to take other mails does not delay them.
const (
	Queue        = "mail"
	AwaitedQueue = "mail_awaited"
)

const (
	// eager is the number of first attempts, which go on for about two and a half hours with the waits below. Later attempts use up
	// none of River's, so that a letter waits for a server for as long as it is of use.
	eager = 24
	// attempts is higher than eager, for attempts whose process dies: River gives up a job without attempts left.
	attempts = 50
	// longestWait between two attempts.
	longestWait = 10 * time.Minute
	// attemptTime bounds one attempt.
	attemptTime = time.Minute
	// unknownWait is the attempt whose wait, about a minute, a letter has that this release does not know.
	unknownWait = 7
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
	Begin(ctx context.Context, id uuid.UUID) (store.Attempt, error)
	Postpone(ctx context.Context, id uuid.UUID) error
	Sent(ctx context.Context, id uuid.UUID) error
	Fail(ctx context.Context, id uuid.UUID, reason events.Reason) error
	// Suppress notes that an address gets no letters from now on.
	Suppress(ctx context.Context, address string, why letters.Suppression) error
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
	a, err := w.Store.Begin(ctx, id)
	if errors.Is(err, store.ErrEnded) {
		return nil
	}
	if err != nil {
		return err
	}
	if a.Uncertain > 0 {
		w.Uncertain.Add(ctx, 1)
		w.Log.WarnContext(ctx, "mail may arrive twice", "mail_id", id, "uncertain", a.Uncertain)
	}
	switch {
	case !w.Now().Before(a.Letter.ExpiresAt):
		return w.Store.Fail(ctx, id, events.Expired)
	case !a.Letter.Template.Known():
		return w.leave(ctx, a.Letter)
	case a.Refused != "":
		return w.Store.Fail(ctx, id, a.Refused)
	}
	content, err := w.Composer.Compose(a.Letter)
	if err != nil {
		w.Log.ErrorContext(ctx, "mail cannot be written", "mail_id", id, "error", err)
		return w.Store.Fail(ctx, id, events.Rejected)
	}
	sent := w.Sender.Send(ctx, a.Letter, content)
	failpoint.Pass(failpoint.AfterSendBeforeMark)
	return w.recordOutcome(ctx, job, a.Letter, sent)
}

// leave puts back a letter of a later release, for as long as it is of use: while two releases run side by side, or after a step
// back, a worker will come that knows it. No attempt is used up.
func (w *Worker) leave(ctx context.Context, l letters.Letter) error {
	w.Log.InfoContext(ctx, "mail waits for a release that knows it", "mail_id", l.ID, "template", l.Template)
	if err := w.Store.Postpone(ctx, l.ID); err != nil {
		return err
	}
	return river.JobSnooze(w.Wait(unknownWait))
}

// recordOutcome writes down what an attempt came to.
func (w *Worker) recordOutcome(ctx context.Context, job *river.Job[SendArgs], l letters.Letter, sent error) error {
	id := job.Args.MailID
	// The attempt may have used up its time, and its end must be recorded still.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	switch {
	case sent == nil:
		return w.Store.Sent(ctx, id)
	case errors.Is(sent, smtp.ErrNobody) && !l.Template.Ours():
		if err := w.Store.Suppress(ctx, l.To, letters.Bounce); err != nil {
			return errors.Join(sent, err)
		}
		return w.Store.Fail(ctx, id, events.Rejected)
	case errors.Is(sent, smtp.ErrRejected):
		w.Log.WarnContext(ctx, "mail rejected", "mail_id", id, "error", sent)
		return w.Store.Fail(ctx, id, events.Rejected)
	}
	patient, uncertain := job.Attempt >= min(eager, job.MaxAttempts), errors.Is(sent, smtp.ErrUncertain)
	switch {
	case patient && uncertain: // it may have arrived many times
		w.Log.WarnContext(ctx, "mail given up", "mail_id", id, "attempts", job.Attempt, "error", sent)
		return w.Store.Fail(ctx, id, events.Exhausted)
	case uncertain:
		return sent // the next attempt finds this one open, and counts it
	}
	if err := w.Store.Postpone(ctx, id); err != nil || !patient {
		return errors.Join(sent, err)
	}
	w.Log.WarnContext(ctx, "mail waits for a server that takes it", "mail_id", id, "error", sent)
	return river.JobSnooze(w.Wait(job.Attempt))
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
	return func(ctx context.Context, tx pgx.Tx, mailID uuid.UUID, template letters.Template, notBefore time.Time) error {
		opts := river.InsertOpts{Queue: Queue, MaxAttempts: attempts, Priority: int(template.Urgency()), ScheduledAt: notBefore}
		if template.Urgency() == letters.Awaited {
			opts.Queue = AwaitedQueue
		}
		_, err := client.InsertTx(ctx, tx, SendArgs{MailID: mailID}, &opts)
		return err
	}
}
