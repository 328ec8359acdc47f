package billing

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	billingrpc "serein.app/services/billing/internal/rpc"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
	"serein.app/services/testkit"
)

func TestAConfirmedMemberGetsOneTrialHoweverOftenTheEventComes(t *testing.T) {
	t.Parallel()
	r := start(t)
	b := r.bus(t)
	uid, accounts := newMember(), r.accounts(t, "gateway")
	ctx := auth.WithMember(t.Context(), uid)

	before, err := accounts.GetAccount(ctx, &billingv1.GetAccountRequest{})
	require.NoError(t, err)
	require.Nil(t, before.GetSubscription(), "a member whose trial has not started has no plan")
	require.Zero(t, before.GetBalance().GetPlanAvailable())

	confirm(t, b, uid, 3) // one event delivered three times
	confirm(t, b, uid, 1) // and told again by another event
	other := newMember()
	confirm(t, b, other, 1)
	require.Eventually(t, func() bool {
		return count(t, r.Pool, `SELECT count(*)::int FROM subscriptions WHERE uid = $1`, other) == 1
	}, testkit.Patience, 20*time.Millisecond, "events are handled in order, so all before are done")

	account, err := accounts.GetAccount(ctx, &billingv1.GetAccountRequest{})
	require.NoError(t, err)
	sub := account.GetSubscription()
	trial := r.trial(t)
	require.Equal(t, trial.GetId(), sub.GetPlanId())
	require.Equal(t, trial.GetName(), sub.GetPlanName())
	require.Equal(t, billingv1.PlanKind_PLAN_KIND_TRIAL, sub.GetPlanKind())
	require.True(t, sub.GetActive())
	require.Equal(t, trial.GetEntitlements(), sub.GetEntitlements())
	require.Equal(t, time.Duration(trial.GetTrialDays())*24*time.Hour, sub.GetEndsAt().AsTime().Sub(sub.GetStartsAt().AsTime()))
	require.Equal(t, trial.GetTrialCredits(), account.GetBalance().GetPlanAvailable())
	require.Equal(t, 1, count(t, r.Pool, `SELECT count(*)::int FROM entries WHERE uid = $1`, uid), "one grant")
	require.Equal(t, 3, count(t, r.Pool, `SELECT count(*)::int FROM inbox`), "three events, of which one came three times")
	require.Equal(t, 2, count(t, r.Pool, `SELECT count(*)::int FROM outbox WHERE subject = 'serein.billing.trial.started.v1'`))
}

func TestAMailboxGetsOneTrialHoweverManyAccountsItConfirms(t *testing.T) {
	t.Parallel()
	r := start(t)
	b, mailboxKey := r.bus(t), bytes.Repeat([]byte{7}, 32)
	first, second := newMember(), newMember()
	confirmIn(t, b, first, mailboxKey, 2)
	confirmIn(t, b, second, mailboxKey, 2)
	var sub *billingv1.Subscription
	require.Eventually(t, func() bool {
		account, err := r.accounts(t, "gateway").GetAccount(auth.WithMember(t.Context(), second), &billingv1.GetAccountRequest{})
		require.NoError(t, err)
		sub = account.GetSubscription()
		return sub != nil
	}, testkit.Patience, 20*time.Millisecond)
	require.Equal(t, billingv1.PlanKind_PLAN_KIND_TRIAL, sub.GetPlanKind())
	require.False(t, sub.GetActive())
	require.Empty(t, sub.GetEntitlements())
	require.Equal(t, 1, count(t, r.Pool, `SELECT count(*)::int FROM entries`))
	require.Equal(t, 1, count(t, r.Pool, `SELECT count(*)::int FROM outbox WHERE subject = 'serein.billing.trial.started.v1'`))
}

// The catalogue is read before anybody has signed in, and says everything that a card shows.
func TestVisitorsReadTheWholeCatalogue(t *testing.T) {
	t.Parallel()
	r := start(t)
	res, err := r.plans(t, "gateway").ListPlans(t.Context(), &billingv1.ListPlansRequest{})
	require.NoError(t, err)
	kinds := map[billingv1.PlanKind]*billingv1.Plan{}
	var order []int32
	for _, plan := range res.GetPlans() {
		kinds[plan.GetKind()] = plan
		order = append(order, plan.GetOrder())
	}
	require.IsIncreasing(t, order)
	require.Len(t, kinds, len(billingv1.PlanKind_name)-1, "a plan of every kind")
	trial := kinds[billingv1.PlanKind_PLAN_KIND_TRIAL]
	require.Positive(t, trial.GetTrialDays())
	require.Greater(t, trial.GetInvitedTrialDays(), trial.GetTrialDays())
	require.Positive(t, trial.GetTrialCredits())
	require.Nil(t, trial.GetMonthly(), "it is not sold")
	member := kinds[billingv1.PlanKind_PLAN_KIND_MEMBER]
	require.Equal(t, "gbp", member.GetMonthly().GetCurrency())
	require.Greater(t, member.GetYearly().GetAmount(), member.GetMonthly().GetAmount())
	require.Contains(t, member.GetEntitlements(), "library")
	require.NotEmpty(t, member.GetFeatures())
	require.NotContains(t, kinds[billingv1.PlanKind_PLAN_KIND_GENERATE].GetEntitlements(), "library")
	require.Empty(t, kinds[billingv1.PlanKind_PLAN_KIND_ENQUIRY].GetEntitlements())
}

func TestAPlanThatHasEndedOpensNothing(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid := newMember()
	owner, err := pgx.Connect(t.Context(), r.OwnerURL)
	require.NoError(t, err)
	defer func() { _ = owner.Close(context.Background()) }()
	_, err = owner.Exec(t.Context(), `INSERT INTO subscriptions (uid, plan_id, starts_at, ends_at)
		SELECT $1, id, now() - interval '40 days', now() - interval '10 days' FROM plans WHERE kind = 'generate'`, uid)
	require.NoError(t, err)
	account, err := r.accounts(t, "gateway").GetAccount(auth.WithMember(t.Context(), uid), &billingv1.GetAccountRequest{})
	require.NoError(t, err)
	require.False(t, account.GetSubscription().GetActive())
	require.Equal(t, billingv1.PlanKind_PLAN_KIND_GENERATE, account.GetSubscription().GetPlanKind())
	require.Empty(t, account.GetSubscription().GetEntitlements())
}

func TestHoldCaptureReleaseAndRefundMoveTheCreditsThatTheAccountShows(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid := newMember()
	r.topUp(t, uid, 5)
	c, ctx := r.credits(t, "generation"), t.Context()

	first, err := c.Hold(ctx, holdRequest(uid, 2, "a"))
	require.NoError(t, err)
	require.EqualValues(t, 2, first.GetHold().GetTopUpCredits())
	require.True(t, proto.Equal(&billingv1.Balance{TopUpAvailable: 3, Held: 2}, first.GetBalance()), "%v", first.GetBalance())
	again, err := c.Hold(ctx, holdRequest(uid, 2, "a"))
	require.NoError(t, err)
	require.True(t, proto.Equal(first.GetBalance(), again.GetBalance()), "held once")
	require.Equal(t, first.GetHold().GetId(), again.GetHold().GetId())
	_, err = c.Hold(ctx, holdRequest(uid, 1, "a"))
	requireReason(t, err, "IDEMPOTENCY_KEY_REUSED")

	_, err = c.Capture(ctx, &billingv1.CaptureRequest{HoldId: first.GetHold().GetId()})
	require.NoError(t, err)
	_, err = c.Capture(ctx, &billingv1.CaptureRequest{HoldId: first.GetHold().GetId()})
	require.NoError(t, err, "capturing twice answers the same")
	_, err = c.Release(ctx, &billingv1.ReleaseRequest{HoldId: first.GetHold().GetId()})
	requireReason(t, err, "HOLD_CAPTURED")

	second, err := c.Hold(ctx, holdRequest(uid, 1, "b"))
	require.NoError(t, err)
	_, err = c.Release(ctx, &billingv1.ReleaseRequest{HoldId: second.GetHold().GetId()})
	require.NoError(t, err)
	_, err = c.Release(ctx, &billingv1.ReleaseRequest{HoldId: second.GetHold().GetId()})
	require.NoError(t, err, "releasing twice answers the same")
	_, err = c.Capture(ctx, &billingv1.CaptureRequest{HoldId: second.GetHold().GetId()})
	requireReason(t, err, "HOLD_RELEASED")
	_, err = c.Capture(ctx, &billingv1.CaptureRequest{HoldId: uuid.NewString()})
	requireReason(t, err, "HOLD_NOT_FOUND")
	_, err = c.Release(ctx, &billingv1.ReleaseRequest{HoldId: uuid.NewString()})
	requireReason(t, err, "HOLD_NOT_FOUND")

	_, err = c.Refund(ctx, &billingv1.RefundRequest{HoldId: second.GetHold().GetId()})
	requireReason(t, err, "HOLD_NOT_CAPTURED")
	_, err = c.Refund(ctx, &billingv1.RefundRequest{HoldId: uuid.NewString()})
	requireReason(t, err, "HOLD_NOT_FOUND")
	for range 2 {
		back, err := c.Refund(ctx, &billingv1.RefundRequest{HoldId: first.GetHold().GetId()})
		require.NoError(t, err, "refunding twice answers the same")
		require.EqualValues(t, 2, back.GetCredits())
	}

	_, err = c.Hold(ctx, holdRequest(uid, 6, "c"))
	e := requireReason(t, err, "INSUFFICIENT_CREDITS")
	require.Equal(t, "You have run out of meditation credits for this subscription period. "+
		"You can always topup using the link above and continue generating bespoke meditations.", e.Public)
	account, err := r.accounts(t, "gateway").GetAccount(auth.WithMember(ctx, uid), &billingv1.GetAccountRequest{})
	require.NoError(t, err)
	require.EqualValues(t, 5, account.GetBalance().GetTopUpAvailable())
	require.Zero(t, account.GetBalance().GetHeld())
}

func TestAHoldThatRanOutCannotBeCaptured(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid := newMember()
	r.topUp(t, uid, 1)
	// A hold of two hours ago for one hour, as if the process that made it had died.
	var id string
	require.NoError(t, r.Pool.QueryRow(t.Context(), `SELECT hold_id FROM hold_credits($1, $2, 1, 'old', 'r', 'd', now() - interval '2 hours',
		now() - interval '1 hour', ARRAY[gen_random_uuid(), gen_random_uuid()], ARRAY[''::bytea, ''])`, newMember(), uid).Scan(&id))
	c := r.credits(t, "generation")
	_, err := c.Capture(t.Context(), &billingv1.CaptureRequest{HoldId: id})
	requireReason(t, err, "HOLD_EXPIRED")
	_, err = c.Release(t.Context(), &billingv1.ReleaseRequest{HoldId: id})
	require.NoError(t, err)
	_, err = c.Hold(t.Context(), holdRequest(uid, 1, "new"))
	require.NoError(t, err, "the credit is free again")
}

func TestAMemberReadsTheirOwnLedgerAndNobodyElses(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid, other := newMember(), newMember()
	for range 5 {
		r.topUp(t, uid, 2)
	}
	ledger := r.ledger(t, "gateway")
	ctx := auth.WithMember(t.Context(), uid)
	var changes, balances []int64
	ids := map[string]bool{}
	req := &billingv1.ListLedgerEntriesRequest{Uid: uid, PageSize: 2}
	for pages := 1; ; pages++ {
		page, err := ledger.ListLedgerEntries(ctx, req)
		require.NoError(t, err)
		for _, e := range page.GetEntries() {
			changes, balances = append(changes, e.GetChange()), append(balances, e.GetBalanceAfter())
			ids[e.GetId()] = true
			require.Equal(t, "grant", e.GetKind())
			require.Equal(t, billingv1.Pool_POOL_TOP_UP, e.GetPool())
		}
		if req.PageToken = page.GetNextPageToken(); req.PageToken == "" {
			require.Equal(t, 3, pages)
			break
		}
		r.topUp(t, other, 1)
	}
	require.Equal(t, []int64{2, 2, 2, 2, 2}, changes)
	require.Equal(t, []int64{10, 8, 6, 4, 2}, balances, "newest first")
	require.Len(t, ids, 5)

	_, err := ledger.ListLedgerEntries(auth.WithMember(t.Context(), other), &billingv1.ListLedgerEntriesRequest{Uid: uid})
	foreign := requireReason(t, err, "LEDGER_NOT_FOUND")
	_, err = ledger.ListLedgerEntries(auth.WithMember(t.Context(), other), &billingv1.ListLedgerEntriesRequest{Uid: newMember()})
	absent := requireReason(t, err, "LEDGER_NOT_FOUND")
	require.Equal(t, absent.Public, foreign.Public, "a foreign ledger looks like none")
	_, err = ledger.ListLedgerEntries(ctx, &billingv1.ListLedgerEntriesRequest{Uid: uid, PageToken: "%%%"})
	requireReason(t, err, "PAGE_TOKEN_INVALID")
}

func TestAnActorReadsAndChangesNothing(t *testing.T) {
	t.Parallel()
	require.ElementsMatch(t, []string{billingv1connect.AccountServiceGetAccountProcedure, billingv1connect.OrderServiceListOrdersProcedure},
		testkit.Delegated(billingrpc.Policy()))
}

func TestBadRequestsAreRefusedAndChangeNothing(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid := newMember()
	r.topUp(t, uid, 5)
	c := r.credits(t, "generation")
	for what, change := range map[string]func(*billingv1.HoldRequest){
		"no uid":                    func(h *billingv1.HoldRequest) { h.Uid = "" },
		"a uid that is none":        func(h *billingv1.HoldRequest) { h.Uid = "' OR true --" },
		"no amount":                 func(h *billingv1.HoldRequest) { h.Amount = 0 },
		"a negative amount":         func(h *billingv1.HoldRequest) { h.Amount = -1 },
		"a huge amount":             func(h *billingv1.HoldRequest) { h.Amount = 1 << 62 },
		"no key":                    func(h *billingv1.HoldRequest) { h.IdempotencyKey = "" },
		"a control character":       func(h *billingv1.HoldRequest) { h.IdempotencyKey = "a\x00b" },
		"a line break in reference": func(h *billingv1.HoldRequest) { h.Reference = "a\r\nb" },
		"no time":                   func(h *billingv1.HoldRequest) { h.TtlSeconds = 0 },
		"too much time":             func(h *billingv1.HoldRequest) { h.TtlSeconds = 1 << 62 },
	} {
		req := holdRequest(uid, 1, "key")
		change(req)
		_, err := c.Hold(t.Context(), req)
		require.Equal(t, errs.Invalid, errs.KindOf(err), what)
	}
	require.Zero(t, count(t, r.Pool, `SELECT count(*)::int FROM holds`))
}

// TestEveryMethodIsRefusedToEveryoneElse walks all methods for every caller.
func TestEveryMethodIsRefusedToEveryoneElse(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid := newMember()
	calls := map[string]func(ctx context.Context, as string) error{
		billingv1connect.AccountServiceGetAccountProcedure: func(ctx context.Context, as string) error {
			_, err := r.accounts(t, as).GetAccount(ctx, &billingv1.GetAccountRequest{})
			return err
		},
		billingv1connect.PlanServiceListPlansProcedure: func(ctx context.Context, as string) error {
			_, err := r.plans(t, as).ListPlans(ctx, &billingv1.ListPlansRequest{})
			return err
		},
		billingv1connect.CreditServiceHoldProcedure: func(ctx context.Context, as string) error {
			_, err := r.credits(t, as).Hold(ctx, holdRequest(uid, 1, "key"))
			return err
		},
		billingv1connect.CreditServiceCaptureProcedure: func(ctx context.Context, as string) error {
			_, err := r.credits(t, as).Capture(ctx, &billingv1.CaptureRequest{HoldId: uid})
			return err
		},
		billingv1connect.CreditServiceReleaseProcedure: func(ctx context.Context, as string) error {
			_, err := r.credits(t, as).Release(ctx, &billingv1.ReleaseRequest{HoldId: uid})
			return err
		},
		billingv1connect.CreditServiceRefundProcedure: func(ctx context.Context, as string) error {
			_, err := r.credits(t, as).Refund(ctx, &billingv1.RefundRequest{HoldId: uid})
			return err
		},
		billingv1connect.LedgerServiceListLedgerEntriesProcedure: func(ctx context.Context, as string) error {
			_, err := r.ledger(t, as).ListLedgerEntries(ctx, &billingv1.ListLedgerEntriesRequest{Uid: uid})
			return err
		},
	}
	allowed := map[string]string{
		billingv1connect.AccountServiceGetAccountProcedure:       "gateway",
		billingv1connect.PlanServiceListPlansProcedure:           "gateway",
		billingv1connect.CreditServiceHoldProcedure:              "generation",
		billingv1connect.CreditServiceCaptureProcedure:           "generation",
		billingv1connect.CreditServiceReleaseProcedure:           "generation",
		billingv1connect.CreditServiceRefundProcedure:            "generation",
		billingv1connect.LedgerServiceListLedgerEntriesProcedure: "gateway",
	}
	services := billingv1.File_serein_billing_v1_billing_proto.Services()
	for i := range services.Len() {
		for j := range services.Get(i).Methods().Len() {
			procedure := fmt.Sprintf("/%s/%s", services.Get(i).FullName(), services.Get(i).Methods().Get(j).Name())
			require.Contains(t, calls, procedure, "a new method needs its row here")
			require.Empty(t, rpc.Missing(billingrpc.Policy(), services.Get(i)))
			for _, as := range testkit.Services() {
				err := calls[procedure](auth.WithMember(t.Context(), uid), as)
				if as == allowed[procedure] {
					require.NotErrorIs(t, err, auth.ErrForbidden, "%s by %s", procedure, as)
					continue
				}
				require.ErrorIs(t, err, auth.ErrForbidden, "%s by %s", procedure, as)
			}
			res, err := http.Post(r.url+procedure, "application/json", strings.NewReader("{}"))
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			require.Equal(t, http.StatusUnauthorized, res.StatusCode, "%s by nobody", procedure)
		}
	}
	err := calls[billingv1connect.AccountServiceGetAccountProcedure](t.Context(), "gateway")
	require.ErrorIs(t, err, auth.ErrUnauthenticated, "a call for no member")
	err = calls[billingv1connect.LedgerServiceListLedgerEntriesProcedure](t.Context(), "gateway")
	require.ErrorIs(t, err, auth.ErrUnauthenticated, "a call for no member")
}

func TestTheInternalListenerAnswersOperatorsAndEveryProcedure(t *testing.T) {
	t.Parallel()
	testkit.RequireInternal(t, start(t).url, billingrpc.Policy())
}
