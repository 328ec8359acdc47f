package events

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/inbox"
)

// Members begin and end, in the caller's transaction.
type Members interface {
	// StartTrial starts the trial, once per member and mailbox. invitedBy is uuid.Nil for who came by no invitation.
	StartTrial(ctx context.Context, tx pgx.Tx, uid uuid.UUID, mailboxKey []byte, invitedBy uuid.UUID) error
	// Leave notes that a member has asked for the account to be deleted, or stays after all, as it was told then; the membership of
	// who leaves is cancelled.
	Leave(ctx context.Context, tx pgx.Tx, uid uuid.UUID, leaves bool, at time.Time) error
	// Depart ends what a deleted account pays for.
	Depart(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error
}

// Catalogue is looked at again, in the caller's transaction.
type Catalogue interface {
	AgreePrices(ctx context.Context, tx pgx.Tx) error
}

// Customers follow their members, in the caller's transaction.
type Customers interface {
	ChangeCustomer(ctx context.Context, tx pgx.Tx, c sales.CustomerChange) error
}

// Consumes are the events that billing hears, an empty message of each.
func Consumes() []proto.Message {
	return []proto.Message{
		new(eventsv1.UserConfirmed), new(eventsv1.UserUpdated), new(eventsv1.DeletionScheduled), new(eventsv1.DeletionUndone),
		new(eventsv1.UserDeleted), new(eventsv1.MembershipTierChanged),
	}
}

// Erased tells that nothing is kept of the member whose account was deleted but the books.
func Erased(deletion string) proto.Message { return &eventsv1.BillingErased{DeletionId: deletion} }

// Consumers apply the events of other services, each in one transaction that notes it.
func Consumers(db *pgxpool.Pool, members Members, customers Customers, catalogue Catalogue) (all []bus.Consumer, err error) {
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
		invitedBy, _ := uuid.Parse(event.Payload.GetInvitedBy()) // empty is nobody
		return members.StartTrial(ctx, tx, event.UID, event.Payload.GetMailboxKey(), invitedBy)
	}))
	add(inbox.Consumer(db, "billing", func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.UserUpdated]) error {
		return follow(ctx, tx, customers, event)
	}))
	add(inbox.Consumer(db, "billing", func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.DeletionScheduled]) error {
		return members.Leave(ctx, tx, event.UID, true, event.Time)
	}))
	add(inbox.Consumer(db, "billing", func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.DeletionUndone]) error {
		return members.Leave(ctx, tx, event.UID, false, event.Time)
	}))
	add(erasure.Consumer(db, "billing", members.Depart))
	add(inbox.Consumer(db, "billing", func(ctx context.Context, tx pgx.Tx, _ inbox.Event[*eventsv1.MembershipTierChanged]) error {
		return catalogue.AgreePrices(ctx, tx)
	}))
	return all, err
}

// follow has the customer follow what a member changed: the address and the name each on their own, since each may come late.
func follow(ctx context.Context, tx pgx.Tx, customers Customers, event inbox.Event[*eventsv1.UserUpdated]) error {
	p := event.Payload
	for _, c := range []sales.CustomerChange{{Email: p.GetEmail()}, {Name: sales.FullName(p.GetGivenName(), p.GetFamilyName())}} {
		if c.Email == "" && c.Name == "" {
			continue
		}
		c.UID, c.At = event.UID, event.Time
		if err := customers.ChangeCustomer(ctx, tx, c); err != nil {
			return err
		}
	}
	return nil
}
