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

// Members begin and end, in the caller's transaction.
type Members interface {
	// StartTrial starts the trial, once per member and mailbox.
	StartTrial(ctx context.Context, tx pgx.Tx, uid uuid.UUID, mailboxKey []byte) error
	// Depart ends what a deleted account pays for.
	Depart(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error
}

// Catalogue is looked at again, in the caller's transaction.
type Catalogue interface {
	AgreePrices(ctx context.Context, tx pgx.Tx) error
}

// Consumers apply the events of other services, each in one transaction that notes it.
func Consumers(db *pgxpool.Pool, members Members, catalogue Catalogue) (all []bus.Consumer, err error) {
	add := func(c bus.Consumer, fault error) {
		if len(all) > 0 {
			c.Exclusive = nil // one at a time: so many leaders would hold half of the database's connections
		}
		all = append(all, c)
		if err == nil {
			err = fault
		}
	}
	add(inbox.Consumer(db, "billing", func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.UserConfirmed]) error {
		return members.StartTrial(ctx, tx, event.UID, event.Payload.GetMailboxKey())
	}))
	add(inbox.Consumer(db, "billing", func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.UserDeleted]) error {
		return members.Depart(ctx, tx, event.UID)
	}))
	add(inbox.Consumer(db, "billing", func(ctx context.Context, tx pgx.Tx, _ inbox.Event[*eventsv1.MembershipTierChanged]) error {
		return catalogue.AgreePrices(ctx, tx)
	}))
	return all, err
}
