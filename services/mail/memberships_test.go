package mail

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gosmtp "github.com/emersion/go-smtp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/mail/internal/letters"
	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/mail/internal/smtp/smtptest"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

func in(d time.Duration) *timestamppb.Timestamp { return timestamppb.New(time.Now().Add(d)) }

const day = 24 * time.Hour

func failed(uid string, notice int32) *eventsv1.SubscriptionPaymentFailed {
	return &eventsv1.SubscriptionPaymentFailed{
		Uid: uid, SubscriptionId: "s1", AccessUntil: in(14 * day), Notice: notice, PeriodEndedAt: timestamppb.New(time.Unix(1_790_000_000, 0)),
		PlanName: "Core", Amount: 799, Currency: "gbp",
	}
}

func lowCredits(uid, grant string) *eventsv1.CreditsLow {
	return &eventsv1.CreditsLow{Uid: uid, Available: 1, Grant: grant, ReplacedAt: in(9 * day), TopUp: true}
}

// life is every event of a member's membership that has a letter.
func life(uid string) []proto.Message {
	renewal, parcel := order(uid, "S-10002"), order(uid, "S-10003")
	renewal.Cause, renewal.PeriodEndsAt = "renewal", in(30*day)
	renewal.Lines = []*eventsv1.OrderLine{{ProductId: "core", Name: "Core", Size: "month", Kind: "membership", Quantity: 1, UnitAmount: 799, Currency: "gbp", Credits: 12}}
	parcel.Cause = "checkout"
	change := order(uid, "S-10004")
	change.Cause, change.Lines = "change", renewal.GetLines()
	return []proto.Message{
		&eventsv1.TrialStarted{Uid: uid, StartsAt: in(0), EndsAt: in(10 * day), Credits: 9},
		&eventsv1.TrialEnding{Uid: uid, EndsAt: in(2 * day), Available: 3},
		renewal, parcel, change,
		&eventsv1.SubscriptionCancelled{Uid: uid, SubscriptionId: "s1", Reason: "cancelled", PlanName: "Core"},
		&eventsv1.SubscriptionCancelled{Uid: uid, SubscriptionId: "s2", Reason: "unpaid", PlanName: "Core"},
		&eventsv1.SubscriptionCancelled{Uid: uid, SubscriptionId: "s3", Reason: "operator", PlanName: "Core"},
		&eventsv1.SubscriptionCancelled{Uid: uid, SubscriptionId: "s4", Reason: "refund", PlanName: "Core"},
		&eventsv1.SubscriptionCancelled{Uid: uid, SubscriptionId: "s5"},
		&eventsv1.ReferralRewarded{Uid: uid, Credits: 5},
		&eventsv1.ReferralTakenBack{Uid: uid, Credits: 5},
		changed(uid), // the last: an end makes it untrue
	}
}

// changed is of a plan that was changed.
func changed(uid string) *eventsv1.SubscriptionChanged {
	return &eventsv1.SubscriptionChanged{
		Uid: uid, SubscriptionId: "s1", FromName: "Core", ToName: "Generate", FromPeriod: "month", ToPeriod: "month", Amount: 500, Currency: "gbp",
		PeriodEndsAt: in(20 * day), NextAmount: 1299, PlanCredits: 20, ChangeId: "c1",
	}
}

func TestEachEventOfAMembershipIsOneLetterHoweverOftenItComes(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	o.confirms(uid, "ada@example.com")
	r.heard(t, 1)
	r.agrees(t, uid)
	told := life(uid)
	for _, event := range told {
		o.tell("billing", uid, event, 2) // one event, delivered twice
	}
	r.heard(t, 1+len(told))
	ended := "Your membership has ended"
	require.Equal(t, []string{
		"Credits for you, with our thanks", "Your invitation credits have been removed", "Your membership has changed", ended, ended, ended,
		"Your membership has renewed, order S-10002", "Your receipt from Serein, order S-10003", "Your receipt from Serein, order S-10004",
		"Your trial ends soon",
	}, r.went(t, "ada@example.com"), "of an end by refund nothing is written")
	require.Equal(t, []string{"A trial has started", "To be packed, order S-10003"}, r.went(t, company))
	require.Empty(t, r.went(t, mailbox))
}

func TestAFactThatIsToldAgainByAnotherEventIsNoSecondLetter(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, ada, eve := r.teller(t), uuid.NewString(), uuid.NewString()
	r.remember(t, ada)
	r.remember(t, eve)
	told := append(life(ada)[:2], failed(ada, 1), lowCredits(ada, "g1"))
	for range 2 {
		for _, event := range told {
			o.tell("billing", ada, event, 1)
		}
		o.tell("billing", eve, changed(eve), 1)
	}
	r.heard(t, 2*len(told)+2)
	begun := "trial_started:" + hex.EncodeToString(erasure.Fingerprint(uuid.MustParse(ada)))
	trialEnds := fmt.Sprintf("trial_ending:%s:%d", ada, told[1].(*eventsv1.TrialEnding).GetEndsAt().GetSeconds())
	for _, key := range []string{begun, trialEnds, "payment_failed:s1:1790000000:1", "low_balance:" + ada + ":g1", "plan_changed:s1:c1"} {
		require.Equal(t, 1, r.count(t, `SELECT count(*) FROM mails WHERE idempotency_key = $1`, key), key)
	}
	require.Len(t, r.went(t, "ada@example.com"), 4)
}

// If the member's credit pays for a renewal, billing makes no order and mail writes no receipt: the renewal then has a separate letter.
// A renewal with a receipt has no such letter.
func TestARenewalHasOneLetterAlsoWhereNothingWasCharged(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	r.remember(t, uid)
	paid := life(uid)[2].(*eventsv1.OrderCompleted)
	o.tell("billing", uid, paid, 1)
	o.tell("billing", uid, &eventsv1.SubscriptionRenewed{Uid: uid, SubscriptionId: "s1", PeriodEndsAt: paid.GetPeriodEndsAt(), OrderId: paid.GetOrderId()}, 1)
	byCredit := &eventsv1.SubscriptionRenewed{Uid: uid, SubscriptionId: "s1", PeriodEndsAt: in(60 * day)}
	o.tell("billing", uid, byCredit, 2) // one event, delivered twice
	o.tell("billing", uid, byCredit, 1) // told again by another event
	o.tell("billing", uid, &eventsv1.SubscriptionRenewed{Uid: uid, SubscriptionId: "s1", PeriodEndsAt: in(90 * day)}, 1)
	r.heard(t, 5)
	require.Equal(t, []string{
		"Your membership has renewed", "Your membership has renewed", "Your membership has renewed, order S-10002",
	}, r.went(t, "ada@example.com"))
}

func TestTheLetterOfAChangeSaysWhatItsAmountIsMadeOf(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	r.remember(t, uid)
	o.tell("billing", uid, &eventsv1.SubscriptionChanged{
		Uid: uid, SubscriptionId: "s1", FromName: "Core", ToName: "Premium", FromPeriod: "month", ToPeriod: "month", Amount: 383, Currency: "gbp",
		PlanAmount: 996, UnusedAmount: 613, PeriodEndsAt: in(23 * day), NextAmount: 1299, PlanCredits: 60, ChangeId: "c1",
	}, 1)
	r.heard(t, 1)
	require.Equal(t, []string{"Your membership has changed"}, r.went(t, "ada@example.com"))
	raw := strings.ReplaceAll(r.smtp.Accepted()[0].Raw, "=\r\n", "")
	require.Contains(t, raw, "We charged =C2=A33.83: =C2=A39.96 for Premium, less =C2=A36.13")
	require.Contains(t, raw, "The next payment is =C2=A312.99")
	require.Contains(t, raw, "now gives you 60 credits")
}

// An operator may give a member a second trial: its end is news again.
func TestASecondTrialSendsItsOwnEndingLetter(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	r.remember(t, uid)
	for n, ends := range []time.Duration{day, 9 * day} {
		o.tell("billing", uid, &eventsv1.TrialEnding{Uid: uid, EndsAt: in(ends)}, 1)
		r.heard(t, n+1)
		require.Len(t, r.went(t, "ada@example.com"), n+1)
	}
}

// resting is a mail server that takes nothing until it is woken, so that letters wait. It is woken while no attempt is under way: one that
// began before what the test has done since knows nothing of that.
func (r *harness) resting(t *testing.T) (wake func()) {
	t.Helper()
	var awake atomic.Bool
	r.smtp.Fail = func(smtptest.Message) error {
		if awake.Load() {
			return nil
		}
		return &gosmtp.SMTPError{Code: 421, Message: "resting"}
	}
	return func() {
		t.Helper()
		require.Eventually(t, func() bool { return r.count(t, `SELECT count(*) FROM river_job WHERE state = 'running'`) == 0 },
			testkit.Patience, 10*time.Millisecond)
		awake.Store(true)
	}
}

func TestALetterThatSomethingNewerHasMadeUntrueIsNotSent(t *testing.T) {
	t.Parallel()
	r := setup(t)
	wake := r.resting(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	r.remember(t, uid)
	events := 0
	tell := func(e proto.Message) {
		o.tell("billing", uid, e, 1)
		events++
		r.heard(t, events)
	}
	tell(failed(uid, 1))
	tell(failed(uid, 2))
	tell(&eventsv1.SubscriptionRenewed{Uid: uid, SubscriptionId: "s1", PeriodEndsAt: in(30 * day), OrderId: uuid.NewString()})
	tell(&eventsv1.SubscriptionCancellationScheduled{Uid: uid, SubscriptionId: "s1", EndsAt: in(30 * day), PlanName: "Core"})
	tell(&eventsv1.SubscriptionReactivated{Uid: uid, SubscriptionId: "s1", PeriodEndsAt: in(30 * day), PlanName: "Core"})
	tell(lowCredits(uid, "g1"))
	pack := order(uid, "S-10001")
	tell(pack)
	require.Equal(t, 4, r.count(t, `SELECT count(*) FROM mails WHERE reason = 'superseded' AND data IS NULL`))
	wake()
	require.Equal(t, []string{"Your membership carries on", "Your receipt from Serein, order S-10001"}, r.went(t, "ada@example.com"))
	superseded := 0
	for _, e := range r.events(t) {
		if f, ok := e.(*eventsv1.MailFailed); ok && f.GetReason() == "superseded" {
			superseded++
		}
	}
	require.Equal(t, 4, superseded, "and an event reports each")
}

// What a letter tells of may be over by more than one thing: each of them drops it, as long as it waits.
func TestWhateverMakesALetterUntrueDropsIt(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.resting(t)
	r.start(t)
	o := r.teller(t)
	ended := func(uid string) proto.Message {
		return &eventsv1.SubscriptionCancelled{Uid: uid, SubscriptionId: "s1", Reason: "refund", PlanName: "Core"}
	}
	renewed := func(uid string) proto.Message {
		return &eventsv1.SubscriptionRenewed{Uid: uid, SubscriptionId: "s1", PeriodEndsAt: in(30 * day), OrderId: uuid.NewString()}
	}
	ofMembership := func(cause string) func(uid string) proto.Message {
		return func(uid string) proto.Message {
			paid := life(uid)[2].(*eventsv1.OrderCompleted)
			paid.Cause = cause
			return paid
		}
	}
	low := func(uid string) proto.Message { return lowCredits(uid, "g1") }
	owed := func(uid string) proto.Message {
		e := failed(uid, 1)
		e.SubscriptionId = "of " + uid
		return e
	}
	cancelled := func(uid string) proto.Message {
		return &eventsv1.SubscriptionCancellationScheduled{Uid: uid, SubscriptionId: "s1", EndsAt: in(30 * day), PlanName: "Core"}
	}
	ending := func(uid string) proto.Message { return &eventsv1.TrialEnding{Uid: uid, EndsAt: in(2 * day)} }
	rewarded := func(uid string) proto.Message { return &eventsv1.ReferralRewarded{Uid: uid, Credits: 5} }
	another := func(uid string) proto.Message {
		e := changed(uid)
		e.SubscriptionId = "of " + uid
		return e
	}
	for n, c := range []struct {
		name, template string
		waits, newer   func(uid string) proto.Message
	}{
		{"a trial that ends soon, by a membership that is bought", "trial_ending", ending, ofMembership("checkout")},
		{"a card to be mended, by the renewal", "payment_failed", owed, renewed},
		{"a card to be mended, by the renewal's order", "payment_failed", owed, ofMembership("renewal")},
		{"a card to be mended, by the end", "payment_failed", owed, ended},
		{"an end that is to come, by the end", "cancellation", cancelled, ended},
		{"another plan, by the end", "plan_changed", another, ended},
		{"few credits, by a renewal", "low_balance", low, renewed},
		{"few credits, by another plan", "low_balance", low, another},
		{"few credits, by a reward", "low_balance", low, rewarded},
		{"few credits, by the end", "low_balance", low, ended},
	} {
		uid := uuid.NewString()
		r.remember(t, uid)
		o.tell("billing", uid, c.waits(uid), 1)
		r.heard(t, 2*n+1)
		o.tell("billing", uid, c.newer(uid), 1)
		r.heard(t, 2*n+2)
		require.Equal(t, 1, r.count(t, `SELECT count(*) FROM mails WHERE uid = $1 AND template = $2 AND reason = 'superseded'`, uid, c.template), c.name)
	}
}

// A letter of what is to come says nothing once it has come, however long its mailbox took none.
func TestALetterOfWhatIsToComeIsOfUseUntilThen(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.resting(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	r.remember(t, uid)
	last := failed(uid, 3)
	last.AccessUntil = in(2 * day)
	ending := &eventsv1.TrialEnding{Uid: uid, EndsAt: in(day)}
	cancelled := &eventsv1.SubscriptionCancellationScheduled{Uid: uid, SubscriptionId: "s1", EndsAt: in(20 * day), PlanName: "Core"}
	for _, event := range []proto.Message{last, ending, cancelled} {
		o.tell("billing", uid, event, 1)
	}
	r.heard(t, 3)
	for template, comes := range map[string]*timestamppb.Timestamp{
		"payment_failed": last.GetAccessUntil(), "trial_ending": ending.GetEndsAt(), "cancellation": cancelled.GetEndsAt(),
	} {
		var until time.Time
		require.NoError(t, r.Pool.QueryRow(t.Context(), `SELECT expires_at FROM mails WHERE template = $1`, template).Scan(&until))
		require.WithinDuration(t, comes.AsTime(), until, time.Millisecond, template)
	}
}

func TestALetterOfAFailedPaymentSaysWhenItIsTriedAgainWhereItIs(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	r.remember(t, uid)
	first, second := failed(uid, 1), failed(uid, 2)
	first.NextAttempt = in(3 * day)
	for n, event := range []proto.Message{first, second} {
		o.tell("billing", uid, event, 1)
		r.heard(t, n+1)
		require.Len(t, r.went(t, "ada@example.com"), n+1)
	}
	require.Contains(t, r.smtp.Accepted()[0].Raw, "ll try again on")
	require.NotContains(t, r.smtp.Accepted()[1].Raw, "ll try again on")
}

func TestFewCreditsPromiseMoreOnlyToWhoMayBuyThem(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	r.remember(t, uid)
	member, onTrial := lowCredits(uid, "g1"), lowCredits(uid, "g2")
	onTrial.TopUp = false
	for n, event := range []proto.Message{member, onTrial} {
		o.tell("billing", uid, event, 1)
		r.heard(t, n+1)
		require.Len(t, r.went(t, "ada@example.com"), n+1)
	}
	require.Contains(t, r.smtp.Accepted()[0].Raw, "you can top up")
	require.NotContains(t, r.smtp.Accepted()[1].Raw, "you can top up")
}

// No order holds between events of several kinds: what is older than what was told is not written at all.
func TestAnOlderEventThatComesLateWritesNothing(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", store.Migrate)
	mails := store.New(db.Pool, outbox.New(db.Pool, nil, Name, testkit.Logger(t), time.Now), time.Now, uuid.NewV7)
	mails.SendBy(func(context.Context, pgx.Tx, uuid.UUID, letters.Template, time.Time) error { return nil })
	uid, now := uuid.New(), time.Now()
	enqueue := func(key string, told time.Time) {
		require.NoError(t, pgx.BeginFunc(t.Context(), db.Pool, func(tx pgx.Tx) error {
			return mails.EnqueueIn(t.Context(), tx, letters.Letter{
				Key: key, UID: uid.String(), To: "ada@example.com", Template: letters.Reactivated, Topic: letters.Topic(letters.OfEnd, uid),
				Data: letters.Data{Membership: &letters.Membership{}}, ToldAt: told, ExpiresAt: now.Add(time.Hour),
			})
		}))
	}
	waiting := func() (keys []string) {
		rows, err := db.Pool.Query(t.Context(), `SELECT idempotency_key FROM mails WHERE state = 'queued' ORDER BY 1`)
		require.NoError(t, err)
		keys, err = pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return keys
	}
	enqueue("second", now)
	enqueue("first", now.Add(-time.Second))
	require.Equal(t, []string{"second"}, waiting())
	enqueue("second", now.Add(time.Second)) // told again, by a later event
	require.Equal(t, []string{"second"}, waiting(), "the letter of the same thing stays")
	enqueue("third", now.Add(time.Minute))
	require.Equal(t, []string{"third"}, waiting())
	require.NoError(t, pgx.BeginFunc(t.Context(), db.Pool, func(tx pgx.Tx) error {
		return mails.Overtake(t.Context(), tx, now.Add(time.Hour), letters.Topics(uid)...)
	}))
	require.Empty(t, waiting())
	enqueue("fourth", now.Add(time.Minute))
	require.Empty(t, waiting(), "also where nothing waits that could tell")
}

// Letters of a topic that come at the same time leave one: the newest.
func TestOfLettersOfOneTopicThatComeAtOnceTheNewestIsLeft(t *testing.T) {
	t.Parallel()
	r := setup(t)
	wake := r.resting(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	r.remember(t, uid)
	for range 5 {
		o.tell("billing", uid, &eventsv1.SubscriptionCancellationScheduled{Uid: uid, EndsAt: in(day), PlanName: "Core"}, 1)
		o.tell("billing", uid, &eventsv1.SubscriptionReactivated{Uid: uid, PeriodEndsAt: in(day), PlanName: "Core"}, 1)
	}
	r.heard(t, 10)
	wake()
	require.Equal(t, []string{"Your membership carries on"}, r.went(t, "ada@example.com"))
}

func TestADeletedAccountsLettersThatMayBecomeUntrueAreDroppedWithItsWishes(t *testing.T) {
	t.Parallel()
	r := setup(t)
	wake := r.resting(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	o.confirms(uid, "ada@example.com")
	r.heard(t, 1)
	r.agrees(t, uid)
	o.tell("billing", uid, failed(uid, 1), 1)
	_, err := r.Pool.Exec(t.Context(), `INSERT INTO declined (uid, kind, declined_at) VALUES ($1, 'rewards', now())`, uid)
	require.NoError(t, err)
	_, err = r.Pool.Exec(t.Context(), `INSERT INTO invitations (uid, key, asked_at) VALUES ($1, $1, now())`, uid)
	require.NoError(t, err)
	r.heard(t, 2)
	o.tell("identity", uid, &eventsv1.UserDeleted{Uid: uid, DeletionId: uuid.NewString()}, 1)
	r.heard(t, 3)
	o.tell("billing", uid, lowCredits(uid, "g1"), 1)
	o.tell("billing", uid, &eventsv1.SubscriptionCancelled{Uid: uid, SubscriptionId: "s1", Reason: "unpaid"}, 1)
	r.heard(t, 5)
	wake()
	require.Empty(t, r.went(t, "ada@example.com"))
	for _, table := range []string{"declined", "invitations", "marketing", "members", "topics"} {
		require.Zero(t, r.count(t, `SELECT count(*) FROM `+table), table)
	}
}

func TestALetterThatIsOfUseForADayIsNotSentAfterIt(t *testing.T) {
	t.Parallel()
	r := setup(t)
	wake := r.resting(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	r.remember(t, uid)
	o.tell("billing", uid, lowCredits(uid, "g1"), 1)
	r.heard(t, 1)
	var useful time.Duration
	require.NoError(t, r.Pool.QueryRow(t.Context(), `SELECT expires_at - told_at FROM mails`).Scan(&useful))
	require.Equal(t, day, useful)
	_, err := r.Pool.Exec(t.Context(), `UPDATE mails SET expires_at = now()`)
	require.NoError(t, err)
	require.Equal(t, "expired", r.ends(t, r.only(t)).Reason)
	wake()
	require.Empty(t, r.went(t, "ada@example.com"))
}

// only is the id of the one mail there is.
func (r *harness) only(t *testing.T) (id string) {
	t.Helper()
	require.NoError(t, r.Pool.QueryRow(t.Context(), `SELECT id FROM mails`).Scan(&id))
	return id
}
