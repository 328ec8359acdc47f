package mail

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/metric/noop"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/mail/internal/events"
	"serein.app/services/mail/internal/jobs"
	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/platform/bus"
	platformjobs "serein.app/services/platform/jobs"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// teller publishes events of other services.
type teller struct {
	t *testing.T
	b *bus.Bus
}

func (r *harness) teller(t *testing.T) teller {
	t.Helper()
	b, err := bus.Connect(r.broker.URL, "test", testkit.Logger(t))
	require.NoError(t, err)
	t.Cleanup(b.Close)
	for _, service := range []string{"billing", "identity"} {
		require.Eventually(t, func() bool {
			_, err := b.EnsureStream(t.Context(), service)
			return err == nil
		}, testkit.Patience, 10*time.Millisecond)
	}
	return teller{t, b}
}

// tell publishes one event, as often as it comes.
func (o teller) tell(service, uid string, m proto.Message, times int) {
	o.t.Helper()
	row, err := outbox.New(nil, o.b, service, testkit.Logger(o.t), time.Now).Row(o.t.Context(), outbox.Event{Aggregate: uid, UID: uid, Message: m})
	require.NoError(o.t, err)
	for i := range times {
		// Another message id each time, so that only the inbox can know the event again.
		n, err := o.b.Publish(o.t.Context(), bus.StreamName(service), []bus.Message{{ID: fmt.Sprint(row.ID, "/", i), Subject: row.Subject, Data: row.Payload}})
		require.NoError(o.t, err)
		require.Equal(o.t, 1, n)
	}
}

// confirms tells of a member whose address is confirmed.
func (o teller) confirms(uid, email string) {
	o.t.Helper()
	o.tell("identity", uid, &eventsv1.UserConfirmed{Uid: uid, Username: "ada", Email: email, GivenName: "Ada"}, 1)
}

// heard waits until so many events were handled.
func (r *harness) heard(t *testing.T, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return r.count(t, `SELECT count(*) FROM inbox`) == n }, testkit.Patience, 10*time.Millisecond)
}

func (r *harness) count(t *testing.T, query string, args ...any) (n int) {
	t.Helper()
	require.NoError(t, r.Pool.QueryRow(t.Context(), query, args...).Scan(&n))
	return n
}

// went waits until all letters have ended, and gives the subjects of those that went to an address, without its welcome.
func (r *harness) went(t *testing.T, to string) (subjects []string) {
	t.Helper()
	require.Eventually(t, func() bool { return r.count(t, `SELECT count(*) FROM mails WHERE state = 'queued'`) == 0 }, testkit.Patience, 10*time.Millisecond)
	for _, m := range r.smtp.Accepted() {
		require.Len(t, m.To, 1)
		if subject := m.Subject(t); m.To[0] == to && subject != "Welcome to Serein" {
			subjects = append(subjects, subject)
		}
	}
	slices.Sort(subjects)
	return subjects
}

func order(uid, number string) *eventsv1.OrderCompleted {
	return &eventsv1.OrderCompleted{
		Uid: uid, OrderId: uuid.NewString(), Number: number, Total: 2395, Delivery: 395, Vat: 399, VatPercent: 20, Currency: "gbp",
		Lines: []*eventsv1.OrderLine{{ProductId: "tote", Name: "The\ntote", Kind: "product", Quantity: 2, UnitAmount: 1000, Currency: "gbp"}},
	}
}

func refunded(of *eventsv1.OrderCompleted, amount, all int64, why string) *eventsv1.OrderRefunded {
	return &eventsv1.OrderRefunded{
		Uid: of.GetUid(), OrderId: of.GetOrderId(), Number: of.GetNumber(), Amount: amount, Refunded: all, Currency: "gbp",
		Lines: of.GetLines(), Total: of.GetTotal(), Reason: why,
	}
}

func TestAnOrderHasOneReceiptHoweverOftenItIsTold(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	o.confirms(uid, "ada@example.com")
	r.heard(t, 1)
	first := order(uid, "S-10001")
	o.tell("billing", uid, first, 3) // one event, delivered three times
	o.tell("billing", uid, first, 1) // told again by another event
	o.tell("billing", uid, order(uid, "S-10002"), 2)
	r.heard(t, 4)
	require.Equal(t, []string{"Your receipt from Serein, order S-10001", "Your receipt from Serein, order S-10002"}, r.went(t, "ada@example.com"))
	for _, m := range r.smtp.Accepted() {
		if m.To[0] == "ada@example.com" && strings.Contains(m.Raw, "S-10001") {
			require.Contains(t, m.Raw, "- The tote, 2 at =C2=A310.00: =C2=A320.00", "in one line, quoted-printable")
			require.Contains(t, m.Raw, "https://serein.example/orders")
		}
	}
}

func TestEachTimeThatMoneyComesBackIsOneLetterAndADisputeIsNone(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	o.confirms(uid, "ada@example.com")
	r.heard(t, 1)
	twice := order(uid, "S-10001")
	o.tell("billing", uid, refunded(twice, 500, 500, "refund"), 2)
	o.tell("billing", uid, refunded(twice, 500, 500, "refund"), 1) // told again by another event
	o.tell("billing", uid, refunded(twice, 100, 600, "refund"), 1)
	o.tell("billing", uid, refunded(order(uid, "S-10002"), 2395, 2395, "second_membership"), 2)
	o.tell("billing", uid, refunded(order(uid, "S-10003"), 2395, 2395, "dispute"), 1)
	o.tell("billing", uid, refunded(order(uid, "S-10004"), 2395, 2395, "account_deleted"), 1)
	r.heard(t, 7)
	require.Equal(t, []string{
		"Your refund from Serein, order S-10001", "Your refund from Serein, order S-10001", "Your second payment is on its way back, order S-10002",
	}, r.went(t, "ada@example.com"))
}

func TestMoneyThatIsOursAgainIsOneLetterEachTimeAndARefundThatIsSentAgainAnother(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	o.confirms(uid, "ada@example.com")
	r.heard(t, 1)
	of := order(uid, "S-10001")
	restored := func(n int32, why string) *eventsv1.OrderRestored {
		return &eventsv1.OrderRestored{
			Uid: uid, OrderId: of.GetOrderId(), Number: of.GetNumber(), Amount: 500, Currency: "gbp", Lines: of.GetLines(), Total: of.GetTotal(),
			Reason: why, Restored: n, CreditsGiven: 3,
		}
	}
	again := refunded(of, 500, 500, "refund")
	again.Restored = 1
	o.tell("billing", uid, refunded(of, 500, 500, "refund"), 1)
	o.tell("billing", uid, restored(1, "refund_failed"), 2)
	o.tell("billing", uid, again, 2)
	o.tell("billing", uid, restored(2, "dispute_won"), 1)
	r.heard(t, 5)
	require.Equal(t, []string{
		"Your order is yours again, order S-10001", "Your refund didn’t reach you, order S-10001",
		"Your refund from Serein, order S-10001", "Your refund from Serein, order S-10001",
	}, r.went(t, "ada@example.com"))
}

func TestAnOrderWhosePaymentDidNotArriveIsOneLetter(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	o.confirms(uid, "ada@example.com")
	r.heard(t, 1)
	of := order(uid, "S-10001")
	o.tell("billing", uid, &eventsv1.OrderUnpaid{
		Uid: uid, OrderId: of.GetOrderId(), Number: of.GetNumber(), Lines: of.GetLines(), Total: of.GetTotal(), Currency: "gbp",
	}, 2)
	r.heard(t, 2)
	require.Equal(t, []string{"Your payment didn’t go through, order S-10001"}, r.went(t, "ada@example.com"))
}

// No order holds between the events of two services.
func TestAnOrderThatIsToldBeforeItsMemberIsReceiptedWhenTheyAreKnown(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	o.tell("billing", uid, order(uid, "S-10001"), 1)
	require.Eventually(t, func() bool { return strings.Contains(r.log.String(), "no address is known") }, testkit.Patience, 10*time.Millisecond)
	require.Zero(t, r.count(t, `SELECT count(*) FROM inbox`))
	o.confirms(uid, "ada@example.com")
	r.heard(t, 2)
	require.Equal(t, []string{"Your receipt from Serein, order S-10001"}, r.went(t, "ada@example.com"))
}

// M4: mail sends no letter to a deleted account, also if the deletion arrives before events of an earlier time.
func TestADeletedAccountGetsNoLetterAndItsAddressIsGone(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	o.confirms(uid, "ada@example.com")
	r.heard(t, 1)
	o.tell("identity", uid, &eventsv1.UserDeleted{Uid: uid, DeletionId: uuid.NewString()}, 2)
	r.heard(t, 2)
	bought := order(uid, "S-10001")
	o.tell("billing", uid, bought, 1)
	o.tell("billing", uid, refunded(bought, 2395, 2395, "refund"), 1)
	r.heard(t, 4)
	require.Empty(t, r.went(t, "ada@example.com"))
	require.Zero(t, r.count(t, `SELECT count(*) FROM members`))
}

// If a process dies after its commit and before it acknowledges the event, the broker delivers the event again.
func TestAnEventThatComesAgainAfterItsConsumerDiedMakesNoSecondLetter(t *testing.T) {
	t.Parallel()
	r := setup(t)
	o, uid := r.teller(t), uuid.NewString()
	r.start(t)() // the member is known to the process that dies
	r.remember(t, uid)
	o.tell("billing", uid, order(uid, "S-10001"), 1)
	r.dieBeforeTheBrokerHears(t)
	require.Equal(t, 2, r.count(t, `SELECT count(*) FROM mails WHERE state = 'queued'`), "it was committed: the receipt, and what is to be packed")

	r.start(t)
	js, err := nats.Connect(r.broker.URL)
	require.NoError(t, err)
	t.Cleanup(js.Close)
	stream, err := jetstream.New(js)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		consumer, err := stream.Consumer(t.Context(), bus.StreamName("billing"), "mail-order-completed")
		require.NoError(t, err)
		info := consumer.CachedInfo()
		if info.Delivered.Consumer > 1 && info.NumAckPending == 0 {
			return true
		}
		// The broker waits for a word from the dead for most of a minute; a test has less patience.
		hurried := info.Config
		hurried.AckWait = 200 * time.Millisecond
		_, err = stream.UpdateConsumer(t.Context(), bus.StreamName("billing"), hurried)
		require.NoError(t, err)
		return false
	}, testkit.Patience, 50*time.Millisecond, "it comes again, and is acknowledged")
	require.Equal(t, []string{"Your receipt from Serein, order S-10001"}, r.went(t, "ada@example.com"))
	require.Equal(t, 2, r.count(t, `SELECT count(*) FROM mails`))
	require.Equal(t, 2, r.count(t, `SELECT count(*) FROM river_job WHERE kind = 'mail.delivery'`))
}

func (r *harness) remember(t *testing.T, uid string) {
	t.Helper()
	_, err := r.Pool.Exec(t.Context(), `INSERT INTO members (uid, email, given_name) VALUES ($1, 'ada@example.com', 'Ada')`, uid)
	require.NoError(t, err)
	r.agrees(t, uid)
}

// agrees gives the member's consent to marketing, as if it had been told.
func (r *harness) agrees(t *testing.T, uid string) {
	t.Helper()
	_, err := r.Pool.Exec(t.Context(), `INSERT INTO marketing (uid, given, told_at) VALUES ($1, true, 'epoch') ON CONFLICT DO NOTHING`, uid)
	require.NoError(t, err)
}

// dieBeforeTheBrokerHears handles one order as the service does, and loses the broker right after the commit.
func (r *harness) dieBeforeTheBrokerHears(t *testing.T) {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	queue, err := platformjobs.New(r.Pool, jobs.New(&jobs.Worker{}, &jobs.Sweeper{}), map[string]int{jobs.Queue: 1}, nil, quiet, noop.NewMeterProvider())
	require.NoError(t, err)
	mails := store.New(r.Pool, outbox.New(r.Pool, nil, Name, quiet, time.Now), time.Now, uuid.NewV7)
	mails.SendBy(jobs.Enqueue(queue))
	consumers, err := events.Consumers(r.Pool, Name, mails, mails, company)
	require.NoError(t, err)
	at := slices.IndexFunc(consumers, func(c bus.Consumer) bool { return c.Name == "mail-order-completed" })
	require.GreaterOrEqual(t, at, 0)
	b, err := bus.Connect(r.broker.URL, Name, quiet)
	require.NoError(t, err)
	ctx, die := context.WithCancel(t.Context())
	c, handle := consumers[at], consumers[at].Handle
	c.Handle = func(ctx context.Context, event *eventsv1.Envelope) error {
		err := handle(ctx, event)
		b.Close()
		die()
		return err
	}
	dead := make(chan error, 1)
	go func() { dead <- b.Consume(ctx, c) }()
	select {
	case <-dead:
	case <-time.After(testkit.Patience):
		t.Fatal("the order was not handled")
	}
}

// A process that dies before its commit leaves nothing, and the event makes the letter when it comes again.
func TestAnEventWhoseLetterCouldNotBeKeptMakesOneWhenItComesAgain(t *testing.T) {
	t.Parallel()
	r := setup(t)
	owner, err := pgx.Connect(t.Context(), r.OwnerURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	r.remember(t, uid)
	_, err = owner.Exec(t.Context(), `REVOKE INSERT ON mails FROM mail`)
	require.NoError(t, err)
	o.tell("billing", uid, order(uid, "S-10001"), 2)
	require.Eventually(t, func() bool { return strings.Contains(r.log.String(), "event comes again") }, testkit.Patience, 10*time.Millisecond)
	require.Zero(t, r.count(t, `SELECT count(*) FROM inbox`), "nothing is noted without its letter")
	_, err = owner.Exec(t.Context(), `GRANT INSERT ON mails TO mail`)
	require.NoError(t, err)
	r.heard(t, 1)
	require.Equal(t, []string{"Your receipt from Serein, order S-10001"}, r.went(t, "ada@example.com"))
}
