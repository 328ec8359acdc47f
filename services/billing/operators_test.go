package billing

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit"
)

func (r *harness) operators(tb testing.TB, as string) billingv1connect.OperatorServiceClient {
	tb.Helper()
	c, url, options := testkit.Dialer(tb, as).To(Name, r.url)
	return billingv1connect.NewOperatorServiceClient(c, url, options)
}

func (r *harness) referrals(tb testing.TB, as string) billingv1connect.ReferralServiceClient {
	tb.Helper()
	c, url, options := testkit.Dialer(tb, as).To(Name, r.url)
	return billingv1connect.NewReferralServiceClient(c, url, options)
}

// admin is a context in which an admin calls.
func admin(tb testing.TB, uid string) context.Context {
	tb.Helper()
	return auth.WithSubject(tb.Context(), auth.Subject{UID: uid, Admin: true})
}

// onTrial is a member whose trial runs.
func (r *harness) onTrial(tb testing.TB) string {
	tb.Helper()
	uid := newMember()
	confirm(tb, r.bus(tb), uid, 1)
	require.Eventually(tb, func() bool { return r.account(tb, uid).GetSubscription() != nil }, testkit.Patience, 20*time.Millisecond)
	return uid
}

func (r *harness) account(tb testing.TB, uid string) *billingv1.GetAccountResponse {
	tb.Helper()
	account, err := r.accounts(tb, "gateway").GetAccount(auth.WithMember(tb.Context(), uid), &billingv1.GetAccountRequest{})
	require.NoError(tb, err)
	return account
}

// newest is the newest entry of a member's ledger.
func (r *harness) newest(tb testing.TB, uid string) *billingv1.LedgerEntry {
	tb.Helper()
	page, err := r.ledger(tb, "gateway").ListLedgerEntries(auth.WithMember(tb.Context(), uid), &billingv1.ListLedgerEntriesRequest{Uid: uid})
	require.NoError(tb, err)
	require.NotEmpty(tb, page.GetEntries())
	return page.GetEntries()[0]
}

func TestOperatorsActsAreForAdminsAlone(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid := r.onTrial(t)
	acts := map[string]func(ctx context.Context, c billingv1connect.OperatorServiceClient) error{
		"correct": func(ctx context.Context, c billingv1connect.OperatorServiceClient) error {
			_, err := c.CorrectCredits(ctx, &billingv1.CorrectCreditsRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Amount: 100, Reason: "mine"})
			return err
		},
		"reset": func(ctx context.Context, c billingv1connect.OperatorServiceClient) error {
			_, err := c.ResetToTrial(ctx, &billingv1.ResetToTrialRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Reason: "mine"})
			return err
		},
		"end": func(ctx context.Context, c billingv1connect.OperatorServiceClient) error {
			_, err := c.EndSubscription(ctx, &billingv1.EndSubscriptionRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Reason: "mine"})
			return err
		},
	}
	for name, act := range acts {
		require.ErrorIs(t, act(auth.WithMember(t.Context(), uid), r.operators(t, "gateway")), auth.ErrAdminRequired, name)
		require.ErrorIs(t, act(t.Context(), r.operators(t, "gateway")), auth.ErrUnauthenticated, name)
		acting := auth.WithSubject(t.Context(), auth.Subject{UID: uid, Actor: newMember(), Admin: true})
		require.ErrorIs(t, act(acting, r.operators(t, "gateway")), auth.ErrForbidden, name)
		for _, as := range testkit.Services() {
			if as != "gateway" {
				require.ErrorIs(t, act(admin(t, newMember()), r.operators(t, as)), auth.ErrForbidden, "%s by %s", name, as)
			}
		}
	}
	require.Zero(t, count(t, r.Pool, `SELECT count(*)::int FROM operator_acts`))
	require.Equal(t, 1, count(t, r.Pool, `SELECT count(*)::int FROM entries`))
}

func TestACorrectionIsAnEntryWithItsReasonAndOnceByItsKey(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid, by := r.onTrial(t), newMember()
	c, ctx := r.operators(t, "gateway"), admin(t, by)
	add := &billingv1.CorrectCreditsRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Amount: 5, Reason: "For the silence in Sunday's recording"}
	for range 2 {
		res, err := c.CorrectCredits(ctx, add)
		require.NoError(t, err)
		require.EqualValues(t, 5, res.GetChanged())
		require.True(t, proto.Equal(&billingv1.Balance{PlanAvailable: 8, TopUpAvailable: 5}, res.GetBalance()), res)
	}
	entry := r.newest(t, uid)
	require.Equal(t, []string{"grant", "operator", add.GetReason()}, []string{entry.GetKind(), entry.GetCause(), entry.GetDescription()})
	require.Equal(t, billingv1.Pool_POOL_TOP_UP, entry.GetPool())

	other := proto.CloneOf(add)
	other.Amount = 50
	_, err := c.CorrectCredits(ctx, other)
	requireReason(t, err, "IDEMPOTENCY_KEY_REUSED")
	_, err = c.CorrectCredits(admin(t, newMember()), add)
	requireReason(t, err, "IDEMPOTENCY_KEY_REUSED")

	// What is held is not taken, nor anything below nothing: the top-ups first.
	_, err = r.credits(t, "generation").Hold(t.Context(), holdRequest(uid, 2, "open"))
	require.NoError(t, err)
	for _, take := range []struct{ amount, changed, plan, topUp int64 }{{-3, -3, 6, 2}, {-1000, -8, 0, 0}, {-1, 0, 0, 0}} {
		req := &billingv1.CorrectCreditsRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Amount: take.amount, Reason: "Given by mistake"}
		for range 2 {
			res, err := c.CorrectCredits(ctx, req)
			require.NoError(t, err)
			require.Equal(t, take.changed, res.GetChanged())
			require.True(t, proto.Equal(&billingv1.Balance{PlanAvailable: take.plan, TopUpAvailable: take.topUp, Held: 2}, res.GetBalance()), res)
		}
	}
	entry = r.newest(t, uid)
	require.Equal(t, []string{"correction", "", "Given by mistake"}, []string{entry.GetKind(), entry.GetCause(), entry.GetDescription()}, "the last found nothing")
	require.Equal(t, 4, count(t, r.Pool, `SELECT count(*)::int FROM operator_acts WHERE actor = $1 AND uid = $2`, by, uid))
	require.Zero(t, count(t, r.Pool, `SELECT sum(change)::int FROM legs`))
}

func TestAnActThatMovesNothingStandsInTheLedgerOnceWithItsReason(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid := r.onTrial(t)
	c, ctx := r.operators(t, "gateway"), admin(t, newMember())
	_, err := c.CorrectCredits(ctx, &billingv1.CorrectCreditsRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Amount: -8, Reason: "Given by mistake"})
	require.NoError(t, err)
	none := &billingv1.CorrectCreditsRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Amount: -1, Reason: "One more was"}
	end := &billingv1.EndSubscriptionRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Reason: "To see the end"}
	for range 2 {
		res, err := c.CorrectCredits(ctx, none)
		require.NoError(t, err)
		require.Zero(t, res.GetChanged())
		_, err = c.EndSubscription(ctx, end)
		require.NoError(t, err)
	}
	page, err := r.ledger(t, "gateway").ListLedgerEntries(auth.WithMember(t.Context(), uid), &billingv1.ListLedgerEntriesRequest{Uid: uid})
	require.NoError(t, err)
	var lines [][]any
	for _, e := range page.GetEntries() {
		lines = append(lines, []any{e.GetId(), e.GetKind(), e.GetDescription(), e.GetPool(), e.GetChange(), e.GetBalanceAfter()})
	}
	require.Equal(t, [][]any{
		{"2.2", "plan_end", "To see the end", billingv1.Pool_POOL_PLAN, int64(0), int64(0)},
		{"2.1", "correction", "One more was", billingv1.Pool_POOL_UNSPECIFIED, int64(0), int64(0)},
		{"2", "reversal", "Given by mistake", billingv1.Pool_POOL_PLAN, int64(-8), int64(0)},
		{"1", "grant", "Free trial", billingv1.Pool_POOL_PLAN, int64(8), int64(8)},
	}, lines)
	require.Equal(t, 2, count(t, r.Pool, `SELECT count(*)::int FROM notes n JOIN operator_acts a ON n.cause LIKE '%operator:' || a.key AND n.uid = a.uid`),
		"it leads to who did it")
}

// The second account of a mailbox has no trial, and no balance that something could be taken from.
func TestAMemberWhoWasNeverGivenACreditHasNoneTaken(t *testing.T) {
	t.Parallel()
	r := start(t)
	b, mailboxKey, second := r.bus(t), bytes.Repeat([]byte{7}, 32), newMember()
	confirmIn(t, b, newMember(), mailboxKey, 1)
	confirmIn(t, b, second, mailboxKey, 1)
	require.Eventually(t, func() bool { return r.account(t, second).GetSubscription() != nil }, testkit.Patience, 20*time.Millisecond)
	take := &billingv1.CorrectCreditsRequest{IdempotencyKey: uuid.NewString(), Uid: second, Amount: -5, Reason: "Given by mistake"}
	c, ctx := r.operators(t, "gateway"), admin(t, newMember())
	for range 2 {
		res, err := c.CorrectCredits(ctx, take)
		require.NoError(t, err)
		require.Zero(t, res.GetChanged())
	}
}

func TestACorrectionThatMakesNoSenseIsRefused(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid := r.onTrial(t)
	for name, change := range map[string]func(*billingv1.CorrectCreditsRequest){
		"nothing":             func(c *billingv1.CorrectCreditsRequest) { c.Amount = 0 },
		"too much":            func(c *billingv1.CorrectCreditsRequest) { c.Amount = 1001 },
		"nobody":              func(c *billingv1.CorrectCreditsRequest) { c.Uid = newMember() },
		"no key":              func(c *billingv1.CorrectCreditsRequest) { c.IdempotencyKey = "" },
		"no reason":           func(c *billingv1.CorrectCreditsRequest) { c.Reason = "" },
		"blanks":              func(c *billingv1.CorrectCreditsRequest) { c.Reason = "    " },
		"a control character": func(c *billingv1.CorrectCreditsRequest) { c.Reason = "be\x00cause" },
		"a novel":             func(c *billingv1.CorrectCreditsRequest) { c.Reason = strings.Repeat("x", 201) },
	} {
		req := &billingv1.CorrectCreditsRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Amount: 1, Reason: "because"}
		change(req)
		_, err := r.operators(t, "gateway").CorrectCredits(admin(t, newMember()), req)
		require.Equal(t, errs.Invalid, errs.KindOf(err), name)
	}
	require.Zero(t, count(t, r.Pool, `SELECT count(*)::int FROM operator_acts`))
}

func TestGodControlsWorkOnlyWhereTheyAreOn(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid := r.onTrial(t)
	r.stop()
	r.noGodControls = true
	r.run(t)
	c, ctx := r.operators(t, "gateway"), admin(t, newMember())
	_, err := c.ResetToTrial(ctx, &billingv1.ResetToTrialRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Reason: "again"})
	requireReason(t, err, "GOD_CONTROLS_OFF")
	_, err = c.EndSubscription(ctx, &billingv1.EndSubscriptionRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Reason: "enough"})
	requireReason(t, err, "GOD_CONTROLS_OFF")
	_, err = c.CorrectCredits(ctx, &billingv1.CorrectCreditsRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Amount: 1, Reason: "because"})
	require.NoError(t, err, "credits can be put right everywhere")
}

func TestAnEndedPlanBeganLongAgoAndAResetTrialIsAnotherOne(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid := r.onTrial(t)
	began := r.account(t, uid).GetSubscription()
	c, ctx := r.operators(t, "gateway"), admin(t, newMember())
	end := &billingv1.EndSubscriptionRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Reason: "To see the end"}
	for range 2 {
		res, err := c.EndSubscription(ctx, end)
		require.NoError(t, err)
		sub := res.GetSubscription()
		require.False(t, sub.GetActive())
		require.Equal(t, 35*24*time.Hour, began.GetStartsAt().AsTime().Sub(sub.GetStartsAt().AsTime()), "once")
	}
	require.Zero(t, r.account(t, uid).GetBalance().GetPlanAvailable())
	entry := r.newest(t, uid)
	require.Equal(t, []string{"expiry", "operator", "To see the end"}, []string{entry.GetKind(), entry.GetCause(), entry.GetDescription()})
	require.Equal(t, 1, count(t, r.Pool, `SELECT count(*)::int FROM outbox WHERE subject = 'serein.billing.trial.ended.v1'`))

	reset := &billingv1.ResetToTrialRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Reason: "Once more"}
	trial := r.trial(t)
	for range 2 {
		res, err := c.ResetToTrial(ctx, reset)
		require.NoError(t, err)
		sub := res.GetSubscription()
		require.True(t, sub.GetActive())
		require.Equal(t, trial.GetId(), sub.GetPlanId())
		require.Equal(t, time.Duration(trial.GetTrialDays())*24*time.Hour, sub.GetEndsAt().AsTime().Sub(sub.GetStartsAt().AsTime()))
		require.Equal(t, trial.GetTrialCredits(), r.account(t, uid).GetBalance().GetPlanAvailable(), "once")
	}
	entry = r.newest(t, uid)
	require.Equal(t, []string{"grant", "operator", "Once more"}, []string{entry.GetKind(), entry.GetCause(), entry.GetDescription()})
	require.Equal(t, 2, count(t, r.Pool, `SELECT count(*)::int FROM outbox WHERE subject = 'serein.billing.trial.started.v1'`))
	_, err := c.EndSubscription(ctx, &billingv1.EndSubscriptionRequest{IdempotencyKey: uuid.NewString(), Uid: newMember(), Reason: "nobody's"})
	require.Equal(t, errs.Invalid, errs.KindOf(err))
}

func TestAnOperatorEndsWhatIsPaidEveryPeriodAtTheProviderToo(t *testing.T) {
	t.Parallel()
	r := start(t)
	s := r.opens(t)
	c := r.operators(t, "gateway")
	for name, act := range map[string]func(uid string) error{
		"ended": func(uid string) error {
			_, err := c.EndSubscription(admin(t, newMember()), &billingv1.EndSubscriptionRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Reason: "enough"})
			return err
		},
		"reset": func(uid string) error {
			_, err := c.ResetToTrial(admin(t, newMember()), &billingv1.ResetToTrialRequest{IdempotencyKey: uuid.NewString(), Uid: uid, Reason: "again"})
			return err
		},
	} {
		uid := newMember()
		ctx := auth.WithMember(t.Context(), uid)
		begun, err := s.StartCheckout(ctx, checkout("serein-core", "month"))
		require.NoError(t, err)
		paid := r.provider.Pay(begun.GetSessionId())
		_, err = s.CompleteCheckout(ctx, &billingv1.CompleteCheckoutRequest{OrderId: begun.GetOrderId()})
		require.NoError(t, err)
		require.True(t, r.account(t, uid).GetSubscription().GetRenews())
		require.NoError(t, act(uid), name)
		require.False(t, r.account(t, uid).GetSubscription().GetRenews(), name)
		require.Equal(t, name == "reset", r.account(t, uid).GetSubscription().GetActive())
		require.Eventually(t, func() bool { return r.provider.Ended(paid.Subscription) }, testkit.Patience, 20*time.Millisecond, name)
	}
	require.Equal(t, 2, count(t, r.Pool, `SELECT count(*)::int FROM outbox WHERE subject = 'serein.billing.subscription.cancelled.v1'`))
}

func TestAMemberSeesWhatTheirInvitationsCameTo(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid := r.onTrial(t)
	res, err := r.referrals(t, "gateway").GetReferrals(auth.WithMember(t.Context(), uid), &billingv1.GetReferralsRequest{})
	require.NoError(t, err)
	require.True(t, proto.Equal(&billingv1.GetReferralsResponse{Reward: 5}, res), res)
	_, err = r.Pool.Exec(t.Context(), `INSERT INTO referrals (friend, referrer, invited_at, decided_at, order_id, friend_credits, referrer_credits)
		VALUES (gen_random_uuid(), $1, now(), now(), gen_random_uuid(), 5, 5), (gen_random_uuid(), $1, now(), NULL, NULL, 0, 0)`, uid)
	require.NoError(t, err)
	res, err = r.referrals(t, "gateway").GetReferrals(auth.WithMember(t.Context(), uid), &billingv1.GetReferralsRequest{})
	require.NoError(t, err)
	require.True(t, proto.Equal(&billingv1.GetReferralsResponse{Reward: 5, Invited: 2, Rewarded: 1, Credits: 5}, res), res)
	_, err = r.referrals(t, "gateway").GetReferrals(t.Context(), &billingv1.GetReferralsRequest{})
	require.ErrorIs(t, err, auth.ErrUnauthenticated)
	_, err = r.referrals(t, "mail").GetReferrals(auth.WithMember(t.Context(), uid), &billingv1.GetReferralsRequest{})
	require.ErrorIs(t, err, auth.ErrForbidden)
}

func TestTheLedgerBeginsWithTheWorkThatHasNotFinished(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid := r.onTrial(t)
	c := r.credits(t, "generation")
	r.topUp(t, uid, 1)
	for _, key := range []string{"first", "second", "done"} {
		hold, err := c.Hold(t.Context(), holdRequest(uid, 3, key))
		require.NoError(t, err)
		if key == "done" {
			_, err = c.Capture(t.Context(), &billingv1.CaptureRequest{HoldId: hold.GetHold().GetId()})
			require.NoError(t, err)
		}
	}
	ctx, ledger := auth.WithMember(t.Context(), uid), r.ledger(t, "gateway")
	page, err := ledger.ListLedgerEntries(ctx, &billingv1.ListLedgerEntriesRequest{Uid: uid, PageSize: 3})
	require.NoError(t, err)
	require.Len(t, page.GetHolds(), 2)
	for i, key := range []string{"second", "first"} {
		hold := page.GetHolds()[i]
		require.Equal(t, "meditation:"+key, hold.GetReference())
		require.EqualValues(t, 3, hold.GetPlanCredits())
		require.Zero(t, hold.GetTopUpCredits())
		require.WithinDuration(t, time.Now(), hold.GetTime().AsTime(), time.Minute)
	}
	require.Empty(t, page.GetEntries()[0].GetCause(), "a spend is of its meditation")
	require.NotEmpty(t, page.GetNextPageToken())
	page, err = ledger.ListLedgerEntries(ctx, &billingv1.ListLedgerEntriesRequest{Uid: uid, PageToken: page.GetNextPageToken()})
	require.NoError(t, err)
	require.Empty(t, page.GetHolds(), "once is enough")
	require.Equal(t, "trial", page.GetEntries()[len(page.GetEntries())-1].GetCause())
}

func TestAConfirmationByAnInvitationStartsTheLongerTrial(t *testing.T) {
	t.Parallel()
	r := start(t)
	b, inviter := r.bus(t), r.onTrial(t)
	trial := r.trial(t)
	for i, c := range []struct {
		invitedBy string
		days      int32
	}{{inviter, trial.GetInvitedTrialDays()}, {newMember(), trial.GetTrialDays()}, {"nobody", trial.GetTrialDays()}, {"", trial.GetTrialDays()}} {
		uid := newMember()
		confirmAs(t, b, &eventsv1.UserConfirmed{Uid: uid, MailboxKey: bytes.Repeat([]byte{byte(i)}, 32), InvitedBy: c.invitedBy}, 2)
		require.Eventually(t, func() bool { return r.account(t, uid).GetSubscription() != nil }, testkit.Patience, 20*time.Millisecond)
		sub := r.account(t, uid).GetSubscription()
		require.Equal(t, time.Duration(c.days)*24*time.Hour, sub.GetEndsAt().AsTime().Sub(sub.GetStartsAt().AsTime()), c.invitedBy)
	}
	res, err := r.referrals(t, "gateway").GetReferrals(auth.WithMember(t.Context(), inviter), &billingv1.GetReferralsRequest{})
	require.NoError(t, err)
	require.EqualValues(t, 1, res.GetInvited())
}
