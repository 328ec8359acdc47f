package events

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/inbox"
)

// letterLife is how long after what it tells of a letter is of use.
const letterLife = 3 * 24 * time.Hour

// Mails takes a mail in the caller's transaction.
type Mails interface {
	EnqueueIn(ctx context.Context, tx pgx.Tx, l letters.Letter) error
}

// Members are whom letters go to, in the caller's transaction. An event of a sale names its member by uid alone: the address
// stands once, here, as the member has confirmed it, and neither in billing's books nor in its stream. Nobody is asked for it
// then, so a letter is written while every other service is away.
type Members interface {
	Remember(ctx context.Context, tx pgx.Tx, uid uuid.UUID, p letters.Person) error
	// Member gives them. Errors: letters.ErrDeparted, letters.ErrUnknown.
	Member(ctx context.Context, tx pgx.Tx, uid uuid.UUID) (letters.Person, error)
	Forget(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error
}

// Consumes are the events that mail hears, an empty message of each.
func Consumes() []proto.Message {
	return []proto.Message{new(eventsv1.UserConfirmed), new(eventsv1.UserDeleted), new(eventsv1.OrderCompleted), new(eventsv1.OrderRefunded)}
}

// Consumers apply the events of other services, each in one transaction that notes it.
func Consumers(db *pgxpool.Pool, service string, mails Mails, members Members) (all []bus.Consumer, err error) {
	add := func(c bus.Consumer, fault error) {
		if len(all) > 0 {
			c.Exclusive = nil // one at a time: so many leaders would hold half of the database's connections
		}
		all = append(all, c)
		err = errors.Join(err, fault)
	}
	p := post{mails, members}
	add(inbox.Consumer(db, service, p.welcome))
	add(inbox.Consumer(db, service, func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.UserDeleted]) error {
		return members.Forget(ctx, tx, event.UID)
	}))
	add(inbox.Consumer(db, service, func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.OrderCompleted]) error {
		return p.send(ctx, tx, event.ID, event.UID, event.Time, receipt(event.Payload))
	}))
	add(inbox.Consumer(db, service, func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.OrderRefunded]) error {
		l, written, err := refund(event.Payload)
		if err != nil {
			return fmt.Errorf("event %s: %w", event.ID, err)
		}
		if !written {
			return nil
		}
		return p.send(ctx, tx, event.ID, event.UID, event.Time, l)
	}))
	return all, err
}

// post writes letters to members.
type post struct {
	mails   Mails
	members Members
}

// welcome remembers every member whose address is confirmed, and welcomes them.
func (p post) welcome(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.UserConfirmed]) error {
	person := letters.Person{Email: event.Payload.GetEmail(), GivenName: event.Payload.GetGivenName()}
	if err := p.members.Remember(ctx, tx, event.UID, person); err != nil {
		return err
	}
	return p.sendTo(ctx, tx, person, event.ID, event.UID, event.Time, letters.Letter{Key: "welcome:" + event.UID.String(), Template: letters.Welcome})
}

// send writes to a member; to one who has left nothing is written. One of whom nothing was told yet is asked for again with the
// event, since no order holds between the events of two services; after some minutes it lies with the dead letters.
func (p post) send(ctx context.Context, tx pgx.Tx, eventID string, uid uuid.UUID, at time.Time, l letters.Letter) error {
	person, err := p.members.Member(ctx, tx, uid)
	if errors.Is(err, letters.ErrDeparted) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("event %s: %w", eventID, err)
	}
	return p.sendTo(ctx, tx, person, eventID, uid, at, l)
}

func (p post) sendTo(ctx context.Context, tx pgx.Tx, to letters.Person, eventID string, uid uuid.UUID, at time.Time, l letters.Letter) error {
	l.UID, l.To, l.Data.GivenName, l.ExpiresAt = uid.String(), to.Email, to.GivenName, at.Add(letterLife)
	if err := l.Check(); err != nil {
		return fmt.Errorf("event %s: %w", eventID, err)
	}
	return p.mails.EnqueueIn(ctx, tx, l)
}
