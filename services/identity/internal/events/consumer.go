// Package events hears what identity needs to know of the other services: that they keep nothing of a deleted account any more.
package events

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/inbox"
)

// Deletions notes who has done one, in the caller's transaction.
type Deletions interface {
	// Erased notes that the service keeps nothing any more. When all keepers have said so what is here goes too.
	Erased(ctx context.Context, tx pgx.Tx, deletion uuid.UUID, service string, keepers []string) error
}

// Consumes are the events that identity reads, an empty message of each. Every service that stores something of members publishes one.
func Consumes() []proto.Message {
	return []proto.Message{
		new(eventsv1.BasketErased), new(eventsv1.BillingErased), new(eventsv1.ContentErased), new(eventsv1.GenerationErased),
		new(eventsv1.MailErased),
	}
}

// Keepers are the services that keep something of a member.
func Keepers() (services []string, err error) {
	for _, message := range Consumes() {
		subject, fault := bus.Subject(message)
		service, unknown := bus.Publisher(subject)
		services, err = append(services, service), errors.Join(err, fault, unknown)
	}
	return services, err
}

// Consumers apply the events, each in one transaction that notes it.
func Consumers(db *pgxpool.Pool, to Deletions) (all []bus.Consumer, err error) {
	keepers, err := Keepers()
	if err != nil {
		return nil, err
	}
	add := func(c bus.Consumer, fault error) {
		c.Exclusive = nil // one at a time: so many leaders would hold half of the database's connections
		all, err = append(all, c), errors.Join(err, fault)
	}
	add(erased[*eventsv1.BasketErased](db, to, keepers))
	add(erased[*eventsv1.BillingErased](db, to, keepers))
	add(erased[*eventsv1.ContentErased](db, to, keepers))
	add(erased[*eventsv1.GenerationErased](db, to, keepers))
	add(erased[*eventsv1.MailErased](db, to, keepers))
	return all, err
}

// ofDeletion is an event about one.
type ofDeletion interface {
	proto.Message
	GetDeletionId() string
}

func erased[M ofDeletion](db *pgxpool.Pool, to Deletions, keepers []string) (bus.Consumer, error) {
	var kind M
	subject, err := bus.Subject(kind)
	if err != nil {
		return bus.Consumer{}, err
	}
	service, err := bus.Publisher(subject)
	if err != nil {
		return bus.Consumer{}, err
	}
	return inbox.Consumer(db, "identity", func(ctx context.Context, tx pgx.Tx, event inbox.Event[M]) error {
		id, err := uuid.Parse(event.Payload.GetDeletionId())
		if err != nil {
			return fmt.Errorf("event %s: the deletion: %w", event.ID, err)
		}
		return to.Erased(ctx, tx, id, service, keepers)
	})
}
