package events

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/inbox"
)

// Bespoke keeps what members find of their own, in the caller's transaction.
type Bespoke interface {
	Completed(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID, title string, seconds int, at time.Time) error
	Deleted(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID, at time.Time) error
	Recovered(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID, at time.Time) error
	Renamed(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID, at time.Time) error
	Gone(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID, at time.Time) error
	Forget(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error
}

// Consumes are the events that content hears, an empty message of each.
func Consumes() []proto.Message {
	return []proto.Message{
		new(eventsv1.GenerationCompleted), new(eventsv1.GenerationRefunded), new(eventsv1.BespokeDeleted), new(eventsv1.BespokeRecovered),
		new(eventsv1.BespokeRenamed), new(eventsv1.BespokePurged), new(eventsv1.UserDeleted),
	}
}

// ofMeditation is an event about one.
type ofMeditation interface {
	proto.Message
	GetMeditationId() string
}

// Consumers apply the events, each in one transaction that notes it.
func Consumers(db *pgxpool.Pool, s Bespoke, members Members) (all []bus.Consumer, err error) {
	add := func(c bus.Consumer, fault error) {
		c.Exclusive = nil // one at a time: so many leaders would hold most of the database's connections
		all = append(all, c)
		if err == nil {
			err = fault
		}
	}
	add(inbox.Consumer(db, "content", func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.GenerationCompleted]) error {
		id, err := meditation(event)
		if err != nil {
			return err
		}
		return s.Completed(ctx, tx, id, event.UID, event.Payload.GetTitle(), int(event.Payload.GetDurationMs()/1000), event.Time)
	}))
	// Gone takes the index lock, so it comes last, as for a deleted account. That order prevents deadlocks.
	gone := func(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID, at time.Time) error {
		if err := members.ForgetBespoke(ctx, tx, id); err != nil {
			return err
		}
		return s.Gone(ctx, tx, id, uid, at)
	}
	add(consumer[*eventsv1.GenerationRefunded](db, gone))
	add(consumer[*eventsv1.BespokeDeleted](db, s.Deleted))
	add(consumer[*eventsv1.BespokeRecovered](db, s.Recovered))
	add(consumer[*eventsv1.BespokeRenamed](db, s.Renamed))
	add(consumer[*eventsv1.BespokePurged](db, gone))
	add(erasure.Consumer(db, "content", func(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
		if err := members.ForgetMember(ctx, tx, uid); err != nil {
			return err
		}
		return s.Forget(ctx, tx, uid)
	}))
	return all, err
}

func consumer[M ofMeditation](db *pgxpool.Pool, apply func(ctx context.Context, tx pgx.Tx, id, uid uuid.UUID, at time.Time) error) (bus.Consumer, error) {
	return inbox.Consumer(db, "content", func(ctx context.Context, tx pgx.Tx, event inbox.Event[M]) error {
		id, err := meditation(event)
		if err != nil {
			return err
		}
		return apply(ctx, tx, id, event.UID, event.Time)
	})
}

func meditation[M ofMeditation](event inbox.Event[M]) (uuid.UUID, error) {
	id, err := uuid.Parse(event.Payload.GetMeditationId())
	if err != nil {
		return id, fmt.Errorf("event %s: the meditation: %w", event.ID, err)
	}
	return id, nil
}
