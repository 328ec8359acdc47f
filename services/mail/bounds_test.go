package mail

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/testkit"
)

// heldBack waits until everything that is due has ended, and gives how many letters are held back.
func (r *harness) heldBack(t *testing.T) int {
	t.Helper()
	require.Eventually(t, func() bool {
		return r.count(t, `SELECT count(*) FROM mails WHERE state = 'queued' AND (held_until IS NULL OR held_until <= now())`) == 0
	}, testkit.Patience, 10*time.Millisecond)
	return r.count(t, `SELECT count(*) FROM mails WHERE state = 'queued' AND held_until BETWEEN now() + interval '23 hours' AND now() + interval '24 hours'`)
}

// passDay lets a day pass for everything that was written.
func (r *harness) passDay(t *testing.T) {
	t.Helper()
	for _, sql := range []string{
		`UPDATE mails SET created_at = created_at - interval '24 hours', held_until = held_until - interval '24 hours'`,
		`UPDATE river_job SET scheduled_at = scheduled_at - interval '24 hours' WHERE state = 'scheduled'`,
	} {
		_, err := r.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
}

// A member who cancels and keeps a membership over and over gets five letters about it in a day, and later the last word.
func TestOfALetterThatActsCauseAMemberGetsFiveInADayAndTheLastWordWhenThereIsRoom(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid, told := r.teller(t), uuid.NewString(), 0
	r.remember(t, uid)
	tell := func(e proto.Message) int {
		o.tell("billing", uid, e, 1)
		told++
		r.heard(t, told)
		return r.heldBack(t)
	}
	change := func(n int) *eventsv1.SubscriptionChanged {
		e := changed(uid)
		e.ToName, e.ChangeId = fmt.Sprint("Plan ", n), fmt.Sprint("c", n)
		return e
	}
	end := &eventsv1.SubscriptionCancellationScheduled{Uid: uid, SubscriptionId: "s1", EndsAt: in(30 * day), PlanName: "Core"}
	keep := &eventsv1.SubscriptionReactivated{Uid: uid, SubscriptionId: "s1", PeriodEndsAt: in(30 * day), PlanName: "Core"}
	for n := range 5 {
		require.Zero(t, tell(change(n)))
		require.Zero(t, tell(end))
		require.Zero(t, tell(keep))
	}
	require.Len(t, r.smtp.Accepted(), 15)
	require.Equal(t, 1, tell(change(5)))
	require.Equal(t, 1, tell(change(6)), "the newest alone waits")
	require.Equal(t, 2, tell(end))
	require.Equal(t, 2, tell(keep), "what it made untrue is dropped")
	require.Len(t, r.smtp.Accepted(), 15)
	require.Regexp(t, `serein_mail_limited[a-z_]*\{.*limit="kind_of_member".*\} 4`, r.metrics(t))
	require.Regexp(t, `serein_mail_queued\{.*\} 0`, r.metrics(t), "nobody need look after them")

	r.passDay(t)
	require.Zero(t, r.heldBack(t))
	var last []string
	for _, m := range r.smtp.Accepted()[15:] {
		last = append(last, m.Subject(t))
		require.NotContains(t, m.Raw, "Plan 5")
	}
	require.ElementsMatch(t, []string{"Your membership has changed", "Your membership carries on"}, last)
	require.Zero(t, tell(end), "there is room again")
}

func TestWhatCarriesMoneyIsWrittenHoweverOftenItHappens(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, uid := r.teller(t), uuid.NewString()
	r.remember(t, uid)
	for n := range 8 {
		o.tell("billing", uid, order(uid, fmt.Sprint("S-1000", n)), 1)
		unpaid := failed(uid, 1)
		unpaid.PeriodEndedAt = timestamppb.New(time.Unix(1_790_000_000+int64(n), 0))
		o.tell("billing", uid, unpaid, 1)
		r.heard(t, 2*n+2)
		require.Zero(t, r.heldBack(t))
	}
	require.Len(t, r.went(t, "ada@example.com"), 16)
}

// No letter of a reward makes another untrue, so there is no last one to wait.
func TestRewardsBeyondTheDaysLettersStandInTheLedgerAlone(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)
	o, ada, eve := r.teller(t), uuid.NewString(), uuid.NewString()
	r.remember(t, ada)
	r.remember(t, eve)
	for range 7 {
		o.tell("billing", ada, &eventsv1.ReferralRewarded{Uid: ada, Credits: 5}, 1)
	}
	o.tell("billing", eve, &eventsv1.ReferralRewarded{Uid: eve, Credits: 5}, 1)
	r.heard(t, 8)
	require.Zero(t, r.heldBack(t))
	require.Equal(t, 5, r.count(t, `SELECT count(*) FROM mails WHERE uid = $1`, ada))
	require.Equal(t, 1, r.count(t, `SELECT count(*) FROM mails WHERE uid = $1`, eve), "each member has their own count")
}

func TestLettersOfAKindThatComeAtOnceAreNotMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.start(t)() // River's tables are there
	mails, uid := r.store(t), uuid.NewString()
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			err := pgx.BeginFunc(t.Context(), r.Pool, func(tx pgx.Tx) error {
				return mails.EnqueueIn(t.Context(), tx, reward(uid, i))
			})
			if err != nil {
				t.Errorf("enqueue: %v", err)
			}
		})
	}
	wg.Wait()
	require.Equal(t, 5, r.count(t, `SELECT count(*) FROM mails`))
}

func reward(uid string, n int) letters.Letter {
	return letters.Letter{
		Key: fmt.Sprintf("reward:%s:%d", uid, n), UID: uid, To: "ada@example.com", Template: letters.Reward, ExpiresAt: time.Now().Add(day),
		Data: letters.Data{Membership: &letters.Membership{Credits: 5}},
	}
}
