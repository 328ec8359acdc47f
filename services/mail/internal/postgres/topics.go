package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/mail/internal/events"
	"serein.app/services/mail/internal/postgres/sqlcgen"
)

// Overtake drops what waits of topics and is older than what is told now, in the caller's transaction: a letter that a card is to
// be mended is not sent once it was. What a server is being handed just then may still arrive.
func (s *Store) Overtake(ctx context.Context, tx pgx.Tx, at time.Time, topics ...string) error {
	slices.Sort(topics) // everybody locks them in one order
	for _, topic := range topics {
		if _, err := s.overtake(ctx, tx, topic, at, ""); err != nil {
			return err
		}
	}
	return nil
}

// overtake spares the letter with the key, which tells the same thing, and gives the newest that was told of the topic, no older
// than at.
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
