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
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/inbox"
)

const (
	// letterLife is how long after what it tells of a letter is of use, where it does not say itself.
	letterLife = 3 * 24 * time.Hour
	// lowBalanceLife is how long it is news that credits are nearly spent.
	lowBalanceLife = 24 * time.Hour
	// marketing is identity's word for the consent.
	marketing = "marketing"
)

// Mails takes a mail in the caller's transaction.
type Mails interface {
	EnqueueIn(ctx context.Context, tx pgx.Tx, l letters.Letter) error
	// Overtake drops what waits of topics and is older than that.
	Overtake(ctx context.Context, tx pgx.Tx, at time.Time, topics ...string) error
}

// Members are whom letters go to, in the caller's transaction. An event of a sale names its member by uid alone: the address
// stands once, here, as the member has confirmed it, and neither in billing's books nor in its stream. Nobody is asked for it
// then, so a letter is written while every other service is away.
type Members interface {
	Remember(ctx context.Context, tx pgx.Tx, uid uuid.UUID, p letters.Person, at time.Time) error
	// Change keeps what of a member is another now; what is empty stays. Errors: letters.ErrUnknown.
	Change(ctx context.Context, tx pgx.Tx, uid uuid.UUID, to letters.Person, at time.Time) error
	// Member gives them. Errors: letters.ErrDeparted, letters.ErrUnknown.
	Member(ctx context.Context, tx pgx.Tx, uid uuid.UUID) (letters.Person, error)
	Forget(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error
	// Leave notes that a member has asked for the account to be deleted, or stays after all, as it was told then.
	Leave(ctx context.Context, tx pgx.Tx, uid uuid.UUID, leaves bool, at time.Time) error
	// Agree notes that a member has agreed to marketing, or has taken it back, as it was said then.
	Agree(ctx context.Context, tx pgx.Tx, uid uuid.UUID, given bool, at time.Time) error
}

// Consumes are the events that mail hears, an empty message of each.
func Consumes() []proto.Message {
	return []proto.Message{
		new(eventsv1.UserConfirmed), new(eventsv1.UserUpdated), new(eventsv1.ConsentsChanged), new(eventsv1.DeletionScheduled), new(eventsv1.DeletionUndone), new(eventsv1.UserDeleted), new(eventsv1.OrderCompleted), new(eventsv1.OrderUnpaid), new(eventsv1.OrderRefunded), new(eventsv1.OrderRestored),
		new(eventsv1.TrialStarted), new(eventsv1.TrialEnding), new(eventsv1.SubscriptionPaymentFailed), new(eventsv1.SubscriptionRenewed),
		new(eventsv1.SubscriptionChanged), new(eventsv1.SubscriptionCancellationScheduled), new(eventsv1.SubscriptionReactivated),
		new(eventsv1.SubscriptionCancelled), new(eventsv1.ReferralRewarded), new(eventsv1.ReferralTakenBack), new(eventsv1.CreditsLow),
	}
}

// Consumers apply the events of other services, each in one transaction that notes it. company is our own mailbox for what we are
// to know or do.
func Consumers(db *pgxpool.Pool, service string, mails Mails, members Members, company string) (all []bus.Consumer, err error) {
	add := func(c bus.Consumer, fault error) {
		if len(all) > 0 {
			c.Exclusive = nil // one at a time: so many leaders would hold half of the database's connections
		}
		all = append(all, c)
		err = errors.Join(err, fault)
	}
	p := post{mails, members, company}
	add(inbox.Consumer(db, service, p.welcome))
	add(inbox.Consumer(db, service, p.change))
	add(inbox.Consumer(db, service, p.agree))
	add(inbox.Consumer(db, service, func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.DeletionScheduled]) error {
		return members.Leave(ctx, tx, event.UID, true, event.Time)
	}))
	add(inbox.Consumer(db, service, func(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.DeletionUndone]) error {
		return members.Leave(ctx, tx, event.UID, false, event.Time)
	}))
	add(erasure.Consumer(db, service, members.Forget))
	add(inbox.Consumer(db, service, handle(p, order)))
	add(inbox.Consumer(db, service, handle(p, unpaid)))
	add(inbox.Consumer(db, service, handle(p, refund)))
	add(inbox.Consumer(db, service, handle(p, restored)))
	add(inbox.Consumer(db, service, handle(p, trialStarted)))
	add(inbox.Consumer(db, service, handle(p, trialEnding)))
	add(inbox.Consumer(db, service, handle(p, paymentFailed)))
	add(inbox.Consumer(db, service, handle(p, renewed)))
	add(inbox.Consumer(db, service, handle(p, planChanged)))
	add(inbox.Consumer(db, service, handle(p, cancellation)))
	add(inbox.Consumer(db, service, handle(p, reactivated)))
	add(inbox.Consumer(db, service, handle(p, ended)))
	add(inbox.Consumer(db, service, handle(p, rewarded)))
	add(inbox.Consumer(db, service, handle(p, takenBack)))
	add(inbox.Consumer(db, service, handle(p, lowBalance)))
	return all, err
}

// about is what every event says: its id, whom it is about, and when it happened.
type about struct {
	id  string
	uid uuid.UUID
	at  time.Time
}

// mailing is what is written because of an event.
type mailing struct {
	// letter goes to the member, ours to our own mailbox; nil for none.
	letter, ours *letters.Letter
	// overtakes are topics of which whatever waits is not true any more.
	overtakes []string
}

// handle writes what a kind of event asks for, in the event's transaction.
func handle[M proto.Message](p post, write func(about, M) (mailing, error)) func(context.Context, pgx.Tx, inbox.Event[M]) error {
	return func(ctx context.Context, tx pgx.Tx, event inbox.Event[M]) error {
		a := about{event.ID, event.UID, event.Time}
		m, err := write(a, event.Payload)
		if err == nil {
			err = p.mail(ctx, tx, a, m)
		}
		if err != nil {
			return fmt.Errorf("event %s: %w", event.ID, err)
		}
		return nil
	}
}

// post writes letters to members and to ourselves.
type post struct {
	mails   Mails
	members Members
	company string
}

// mail writes what there is to write. Of a member who has left nothing is noted any more, and nothing is written to them. One of
// whom nothing was told yet is asked for again with the event, since no order holds between the events of two services; after some
// minutes it lies with the dead letters.
func (p post) mail(ctx context.Context, tx pgx.Tx, a about, m mailing) error {
	if m.ours != nil {
		m.ours.To = p.company
		if err := p.enqueue(ctx, tx, a, *m.ours); err != nil {
			return err
		}
	}
	person, unknown := p.members.Member(ctx, tx, a.uid)
	if errors.Is(unknown, letters.ErrDeparted) {
		return nil
	}
	if len(m.overtakes) > 0 {
		if err := p.mails.Overtake(ctx, tx, a.at, m.overtakes...); err != nil {
			return err
		}
	}
	if m.letter == nil {
		return nil
	}
	if unknown != nil {
		return unknown
	}
	return p.sendTo(ctx, tx, person, a, *m.letter)
}

// welcome remembers every member whose address is confirmed, and welcomes them.
func (p post) welcome(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.UserConfirmed]) error {
	person := letters.Person{Email: event.Payload.GetEmail(), GivenName: event.Payload.GetGivenName()}
	if err := p.members.Remember(ctx, tx, event.UID, person, event.Time); err != nil {
		return err
	}
	a := about{event.ID, event.UID, event.Time}
	if err := p.sendTo(ctx, tx, person, a, letters.Letter{Key: "welcome:" + event.UID.String(), Template: letters.Welcome}); err != nil {
		return fmt.Errorf("event %s: %w", event.ID, err)
	}
	return nil
}

// change follows a member's address and name. One of whom nothing was told yet comes again, and lies with the dead letters after some
// minutes: who was confirmed before mail kept addresses.
func (p post) change(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.UserUpdated]) error {
	to := letters.Person{Email: event.Payload.GetEmail(), GivenName: event.Payload.GetGivenName()}
	if to == (letters.Person{}) {
		return nil // a role
	}
	if err := p.members.Change(ctx, tx, event.UID, to, event.Time); err != nil {
		return fmt.Errorf("event %s: %w", event.ID, err)
	}
	return nil
}

// agree follows a member's consent to marketing; the others change no letter.
func (p post) agree(ctx context.Context, tx pgx.Tx, event inbox.Event[*eventsv1.ConsentsChanged]) error {
	for _, said := range event.Payload.GetConsents() {
		if said.GetKind() != marketing {
			continue
		}
		if err := p.members.Agree(ctx, tx, event.UID, said.GetGiven(), said.GetTime().AsTime()); err != nil {
			return fmt.Errorf("event %s: %w", event.ID, err)
		}
	}
	return nil
}

func (p post) sendTo(ctx context.Context, tx pgx.Tx, to letters.Person, a about, l letters.Letter) error {
	l.UID, l.To, l.Data.GivenName = a.uid.String(), to.Email, to.GivenName
	return p.enqueue(ctx, tx, a, l)
}

func (p post) enqueue(ctx context.Context, tx pgx.Tx, a about, l letters.Letter) error {
	l.ToldAt = a.at
	if l.ExpiresAt.IsZero() {
		l.ExpiresAt = a.at.Add(letterLife)
	}
	if err := l.Check(); err != nil {
		return err
	}
	return p.mails.EnqueueIn(ctx, tx, l)
}
