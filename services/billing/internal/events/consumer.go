package events

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/inbox"
)

// Trials starts trials, once per member and mailbox.
type Trials interface {
	StartTrial(ctx context.Context, tx pgx.Tx, uid uuid.UUID, mailboxKey []byte) error
}

// UserConfirmed starts the trial of every member whose address is confirmed, where the mailbox has had none.
func UserConfirmed(db *pgxpool.Pool, trials Trials) (bus.Consumer, error) {
	return inbox.Consumer(db, "billing", func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.UserConfirmed]) error {
		return trials.StartTrial(ctx, tx, event.UID, event.Payload.GetMailboxKey())
	})
}
