package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/mail/internal/events"
	"serein.app/services/mail/internal/postgres/sqlcgen"
)

// Overtake drops, in the caller's transaction, the waiting letters of topics that are older than at: a letter that asks for another
// card is not sent after the payment was made. A letter that a worker is handing to a server just then may still arrive.
func (s *Store) Overtake(ctx context.Context, tx pgx.Tx, at time.Time, topics ...string) error {
	slices.Sort(topics) // everybody locks them in one order
	for _, topic := range topics {
		if _, err := s.overtake(ctx, tx, topic, at, ""); err != nil {
			return err
		}
	}
	return nil
}

// overtake keeps the letter with the key, which is about the same fact, and returns the time of the topic's newest fact, which is at
// or later.
func (s *Store) overtake(ctx context.Context, tx pgx.Tx, topic string, at time.Time, key string) (newest time.Time, err error) {
	at = at.Truncate(time.Microsecond) // as the database keeps it
	if newest, err = s.queries.Tell(ctx, tx, sqlcgen.TellParams{Topic: topic, ToldAt: at}); err != nil {
		return newest, err
	}
	dropped, err := s.queries.Overtake(ctx, tx, sqlcgen.OvertakeParams{Topic: topic, ToldAt: at, Key: key, Now: s.now()})
	for _, mail := range dropped {
		if err == nil {
			err = s.outbox.Add(ctx, tx, events.MailFailed(mail.ID, mail.Uid, mail.Template, events.Superseded))
			s.ended(ctx, string(events.Superseded))
		}
	}
	return newest, err
}
