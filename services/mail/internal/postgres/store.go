// Package postgres keeps the queue of mails. A mail and the job that sends it are written in
// one transaction, and so are a mail's end and the event that tells of it.
package postgres

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/mail/internal/events"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/mail/internal/postgres/sqlcgen"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/postgres"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error {
	return postgres.Migrate(ctx, ownerURL, migrations)
}

// Enqueue adds the job that sends a mail, in the transaction that queues it.
type Enqueue func(ctx context.Context, tx pgx.Tx, mailID uuid.UUID, template letters.Template, notBefore time.Time) error

// Store is the mail database.
type Store struct {
	db      *pgxpool.Pool
	outbox  *outbox.Outbox
	queries *sqlcgen.Queries
	now     func() time.Time
	newID   func() (uuid.UUID, error)
	enqueue Enqueue
	ended   func(ctx context.Context, outcome string)
	stopped func(ctx context.Context, why letters.Suppression)
	limited func(ctx context.Context, limit string)
}

// New makes the store. newID gives time-ordered ids.
func New(db *pgxpool.Pool, out *outbox.Outbox, now func() time.Time, newID func() (uuid.UUID, error)) *Store {
	return &Store{
		db: db, outbox: out, queries: sqlcgen.New(), now: now, newID: newID,
		ended: func(context.Context, string) {}, stopped: func(context.Context, letters.Suppression) {},
		limited: func(context.Context, string) {},
	}
}

// OnEnd sets the function that is called for every mail that has ended, with "sent" or the reason why not. Call it before anything
// runs.
func (s *Store) OnEnd(told func(ctx context.Context, outcome string)) { s.ended = told }

// OnSuppression sets the function that is called for every address that gets no letters, or fewer, from then on. Call it before
// anything runs.
func (s *Store) OnSuppression(told func(ctx context.Context, why letters.Suppression)) {
	s.stopped = told
}

// OnLimit sets the function that is called for every letter beyond a limit, with the limit's name: the letter was refused or is held
// back. Call it before anything runs.
func (s *Store) OnLimit(told func(ctx context.Context, limit string)) { s.limited = told }

// SendBy says how mails reach their job. The queue's workers need the store, so this is set
// after both exist and before anything runs.
func (s *Store) SendBy(enqueue Enqueue) { s.enqueue = enqueue }

// Enqueue takes a mail for sending and gives its id; the same key gives the same mail's.
func (s *Store) Enqueue(ctx context.Context, l letters.Letter) (id uuid.UUID, err error) {
	err = postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		id, err = s.queue(ctx, tx, l)
		return err
	})
	return id, postgres.Translate(err, nil)
}

// EnqueueContact is Enqueue of a letter to ourselves, of which most are taken in an hour. Errors: TooManyError. One that is taken
// already is never refused; those that come in the same instant may be a few more.
func (s *Store) EnqueueContact(ctx context.Context, l letters.Letter, most int) (uuid.UUID, error) {
	id, err := s.queries.IDByKey(ctx, s.db, l.Key)
	if !errors.Is(err, pgx.ErrNoRows) {
		return id, postgres.Translate(err, nil)
	}
	since := s.now().Add(-time.Hour)
	oldest, err := s.queries.ContactLetter(ctx, s.db, sqlcgen.ContactLetterParams{Since: since, But: int32(most - 1)})
	if err := tooMany(limitContact, oldest, since, err); err != nil {
		return uuid.UUID{}, s.count(ctx, postgres.Translate(err, nil))
	}
	return s.Enqueue(ctx, l)
}

// EnqueueIn is Enqueue in the caller's transaction, for a letter that an event caused. It does not queue a letter whose topic has a
// newer fact, nor a letter to an address or a member that gets no such letters. A letter beyond a member's limit for its kind in a
// day waits or is not queued, as its kind says.
func (s *Store) EnqueueIn(ctx context.Context, tx pgx.Tx, l letters.Letter) error {
	if l.Topic != "" {
		newest, err := s.overtake(ctx, tx, l.Topic, l.ToldAt, l.Key)
		if err != nil || newest.After(l.ToldAt) {
			return err
		}
	}
	if refused, err := s.refusal(ctx, tx, l); err != nil || refused != "" {
		return err
	}
	if sent, err := s.hold(ctx, tx, &l); err != nil || !sent {
		return err
	}
	_, err := s.queue(ctx, tx, l)
	return err
}

func (s *Store) queue(ctx context.Context, tx pgx.Tx, l letters.Letter) (uuid.UUID, error) {
	id, err := s.newID()
	if err != nil {
		return uuid.UUID{}, err
	}
	data, err := json.Marshal(l.Data)
	if err != nil {
		return uuid.UUID{}, err
	}
	n, err := s.queries.Insert(ctx, tx, sqlcgen.InsertParams{
		ID: id, IdempotencyKey: l.Key, Uid: l.UID, Recipient: letters.Delivered(l.To), Template: string(l.Template), Data: data,
		CreatedAt: s.now(), ExpiresAt: l.ExpiresAt, Topic: l.Topic, ToldAt: optional(l.ToldAt), HeldUntil: optional(l.NotBefore),
	})
	if err != nil {
		return uuid.UUID{}, err
	}
	if n == 0 {
		return s.queries.IDByKey(ctx, tx, l.Key)
	}
	return id, s.enqueue(ctx, tx, id, l.Template, l.NotBefore)
}

// ErrEnded says that a mail is not waiting any more.
var ErrEnded = errors.New("the mail has ended")

// Attempt is a mail that was taken for one attempt.
type Attempt struct {
	Letter letters.Letter
	// Uncertain counts the attempts so far whose end nobody learned, because the process died between the server's answer and the
	// mark.
	Uncertain int
	// Refused is why it is not sent, as is known by now; empty where it is.
	Refused events.Reason
}

// Begin takes a waiting mail for one attempt. Errors: ErrEnded.
func (s *Store) Begin(ctx context.Context, id uuid.UUID) (a Attempt, err error) {
	err = postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		row, err := s.queries.Begin(ctx, tx, sqlcgen.BeginParams{ID: id, Now: s.now()})
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrEnded
		}
		if err != nil {
			return err
		}
		a = Attempt{Uncertain: int(row.Uncertain), Letter: letters.Letter{
			ID: row.ID, Key: row.IdempotencyKey, UID: row.Uid, To: row.Recipient, Template: letters.Template(row.Template),
			CreatedAt: row.CreatedAt.UTC(), ExpiresAt: row.ExpiresAt.UTC(),
		}}
		if err := json.Unmarshal(row.Data, &a.Letter.Data); err != nil {
			return fmt.Errorf("data of mail %s: %w", id, err)
		}
		a.Refused, err = s.refusal(ctx, tx, a.Letter)
		return err
	})
	return a, err
}

// Postpone says that the attempt failed for certain and another will come.
func (s *Store) Postpone(ctx context.Context, id uuid.UUID) error {
	return s.queries.Postpone(ctx, s.db, id)
}

// Sent ends a mail that a server has accepted.
func (s *Store) Sent(ctx context.Context, id uuid.UUID) error {
	return s.finish(ctx, id, sqlcgen.MailStateSent, "")
}

// Fail gives a mail up.
func (s *Store) Fail(ctx context.Context, id uuid.UUID, reason events.Reason) error {
	return s.finish(ctx, id, sqlcgen.MailStateFailed, reason)
}

func (s *Store) finish(ctx context.Context, id uuid.UUID, state sqlcgen.MailState, reason events.Reason) error {
	over := false
	err := postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		row, err := s.queries.Finish(ctx, tx, sqlcgen.FinishParams{ID: id, State: state, Reason: string(reason), Now: s.now()})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // ended already
		}
		if err != nil {
			return err
		}
		over = true
		if state == sqlcgen.MailStateSent {
			return s.outbox.Add(ctx, tx, events.MailSent(id, row.Uid, row.Template))
		}
		return s.outbox.Add(ctx, tx, events.MailFailed(id, row.Uid, row.Template, reason))
	})
	if err == nil && over {
		s.ended(ctx, cmp.Or(string(reason), string(state)))
	}
	return err
}

func optional(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
