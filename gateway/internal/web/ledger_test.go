package web

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

const (
	ofPlan  = billingv1.Pool_POOL_PLAN
	ofTopUp = billingv1.Pool_POOL_TOP_UP
)

// entry of a ledger; what is said of is its description and what it refers to.
func entry(kind, cause string, pool billingv1.Pool, change int64, of ...string) *billingv1.LedgerEntry {
	e := &billingv1.LedgerEntry{Id: cause + "/" + pool.String(), Kind: kind, Cause: cause, Pool: pool, Change: change, BalanceAfter: 35, Time: timestamppb.New(fixed())}
	if len(of) > 0 {
		e.Description = of[0]
	}
	if len(of) > 1 {
		e.Reference = of[1]
	}
	return e
}

// released is a hold that ended without being captured, as billing tells it.
func released(plan, topUp int64, id string) *billingv1.LedgerEntry {
	e := entry(kindRelease, "", ofPlan, 0, "", "meditation:"+id)
	e.PlanCredits, e.TopUpCredits = plan, topUp
	switch {
	case plan > 0 && topUp > 0:
		e.Pool = billingv1.Pool_POOL_UNSPECIFIED
	case topUp > 0:
		e.Pool = ofTopUp
	}
	return e
}

// aLedger knows a meditation with sound, one of voice alone, two that were not made, and that one is gone.
func aLedger() ledger {
	return ledger{meditations: map[string]*generationv1.Meditation{
		"m-failed":  {Id: "m-failed", Title: "Rest before the interview", Stage: generationv1.Stage_STAGE_FAILED},
		"m-stopped": {Id: "m-stopped", Title: "Not today", Stage: generationv1.Stage_STAGE_CANCELLED},
		"m-rain":    {Id: "m-rain", Title: "After the long meeting", Immersive: true}, "m-voice": {Id: "m-voice", Title: "Sunday, all of it"}, "m-gone": nil,
	}}
}

func TestEveryEntryIsToldInPlainWords(t *testing.T) {
	t.Parallel()
	type row struct {
		title, detail string
		change        int64
		pool          webv1.LedgerPool
		link          string
	}
	const (
		fromPlan  = webv1.LedgerPool_LEDGER_POOL_PLAN
		fromTopUp = webv1.LedgerPool_LEDGER_POOL_TOP_UP
		fromBoth  = webv1.LedgerPool_LEDGER_POOL_BOTH
	)
	for name, c := range map[string]struct {
		entries []*billingv1.LedgerEntry
		want    row
	}{
		"the trial":              {[]*billingv1.LedgerEntry{entry(kindGrant, causeTrial, ofPlan, 8, "Free trial")}, row{"Free trial began", "8 credits to begin with", 8, fromPlan, ""}},
		"the trial's end":        {[]*billingv1.LedgerEntry{entry(kindExpiry, causeTrial, ofPlan, -3, "Unused plan credits expired")}, row{"Your free trial ended", "3 unused credits expired", -3, fromPlan, ""}},
		"its last credit":        {[]*billingv1.LedgerEntry{entry(kindExpiry, causeTrial, ofPlan, -1)}, row{"Your free trial ended", "1 unused credit expired", -1, fromPlan, ""}},
		"a period that is over":  {[]*billingv1.LedgerEntry{entry(kindExpiry, causeSubscription, ofPlan, -4)}, row{"Unused plan credits expired", "Their period was over", -4, fromPlan, ""}},
		"a hold's after its end": {[]*billingv1.LedgerEntry{entry(kindExpiry, causeSubscription, ofPlan, -2, "", "meditation:m-rain")}, row{"Unused plan credits expired", "They were reserved for a meditation until after their period ended", -2, fromPlan, ""}},
		"a renewal": {
			[]*billingv1.LedgerEntry{entry(kindGrant, causeSubscription, ofPlan, 20, "Core", "order:1"), entry(kindExpiry, causeSubscription, ofPlan, -2)},
			row{"Core renewed", "2 unused plan credits were replaced with 20", 18, fromPlan, ""},
		},
		"a renewal of one": {
			[]*billingv1.LedgerEntry{entry(kindGrant, causeSubscription, ofPlan, 20, "Core"), entry(kindExpiry, causeChange, ofPlan, -1)},
			row{"Core renewed", "1 unused plan credit was replaced with 20", 19, fromPlan, ""},
		},
		"a first period": {
			[]*billingv1.LedgerEntry{entry(kindGrant, causeSubscription, ofPlan, 20, "Core"), entry(kindExpiry, causeTrial, ofPlan, -3)},
			row{"Core began", "3 unused trial credits were replaced with 20", 17, fromPlan, ""},
		},
		"a period with nothing left of before": {[]*billingv1.LedgerEntry{entry(kindGrant, causeSubscription, ofPlan, 20, "Core")}, row{"Core paid", "20 plan credits", 20, fromPlan, ""}},
		"a change": {
			[]*billingv1.LedgerEntry{entry(kindGrant, causeChange, ofPlan, 41, "Premium"), entry(kindExpiry, causeSubscription, ofPlan, -14)},
			row{"Changed to Premium", "14 unused plan credits were replaced with 41", 27, fromPlan, ""},
		},
		"a change with nothing left":    {[]*billingv1.LedgerEntry{entry(kindGrant, causeChange, ofPlan, 1, "Premium")}, row{"Changed to Premium", "1 plan credit", 1, fromPlan, ""}},
		"a pack":                        {[]*billingv1.LedgerEntry{entry(kindGrant, causeOrder, ofTopUp, 40, "40 credits", "order:1")}, row{"You topped up", "40 credits that never expire", 40, fromTopUp, ""}},
		"a friend's reward":             {[]*billingv1.LedgerEntry{entry(kindGrant, causeReferral, ofTopUp, 5)}, row{"A friend joined with your code", "5 for each of you, and they never expire", 5, fromTopUp, ""}},
		"the friend's own":              {[]*billingv1.LedgerEntry{entry(kindGrant, causeInvitation, ofTopUp, 5)}, row{"You joined with a friend’s code", "5 for each of you, and they never expire", 5, fromTopUp, ""}},
		"a reward that goes":            {[]*billingv1.LedgerEntry{entry(kindReversal, causeReferral, ofTopUp, -5)}, row{"A reward was taken back", "The membership that it was for was refunded", -5, fromTopUp, ""}},
		"the friend's that goes":        {[]*billingv1.LedgerEntry{entry(kindReversal, causeInvitation, ofTopUp, -5)}, row{"A reward was taken back", "The membership that it was for was refunded", -5, fromTopUp, ""}},
		"one that could not be made":    {[]*billingv1.LedgerEntry{released(2, 0, "m-failed")}, row{"Rest before the interview", "Could not be made, so 2 were released", 0, fromPlan, ""}},
		"one that its member stopped":   {[]*billingv1.LedgerEntry{released(1, 1, "m-stopped")}, row{"Not today", "You stopped it, so 2 were released", 0, fromBoth, ""}},
		"one that was not made, gone":   {[]*billingv1.LedgerEntry{released(0, 1, "m-gone")}, row{"A meditation", "Was not made, so 1 was released", 0, fromTopUp, ""}},
		"the same, nobody tells of now": {[]*billingv1.LedgerEntry{released(1, 0, "m-far")}, row{"A meditation", "Was not made, so 1 was released", 0, fromPlan, ""}},
		"a renewal that failed":         {[]*billingv1.LedgerEntry{entry(kindFailedRenewal, "", ofPlan, 0, "Core")}, row{"Core was not renewed", "The payment didn’t go through. Your credits haven’t changed", 0, fromPlan, ""}},
		"a pack that was refunded":      {[]*billingv1.LedgerEntry{entry(kindReversal, causeOrder, ofTopUp, -40, "40 credits", "order:1")}, row{"40 credits refunded", "Your payment went back, and these credits with it", -40, fromTopUp, ""}},
		"a period that was refunded":    {[]*billingv1.LedgerEntry{entry(kindReversal, causeSubscription, ofPlan, -20, "Core", "order:1")}, row{"Core refunded", "Your payment went back, and these credits with it", -20, fromPlan, ""}},
		"a refund of nobody knows":      {[]*billingv1.LedgerEntry{entry(kindReversal, "", ofPlan, -20)}, row{"Credits were taken back", "Your payment went back, and these credits with it", -20, fromPlan, ""}},
		"a correction":                  {[]*billingv1.LedgerEntry{entry(kindGrant, causeOperator, ofTopUp, 3, "For the evening it was down")}, row{"Corrected by Serein", "For the evening it was down", 3, fromTopUp, ""}},
		"a trial that an operator gave": {[]*billingv1.LedgerEntry{entry(kindGrant, causeOperator, ofPlan, 8, "To try it once more")}, row{"Free trial began again", "To try it once more", 8, fromPlan, ""}},
		"a correction the other way":    {[]*billingv1.LedgerEntry{entry(kindReversal, causeOperator, ofTopUp, -3, "Given twice")}, row{"Corrected by Serein", "Given twice", -3, fromTopUp, ""}},
		"an operator's trial, over":     {[]*billingv1.LedgerEntry{entry(kindExpiry, causeOperator, ofPlan, -8, "")}, row{"Unused plan credits expired", "Their period was over", -8, fromPlan, ""}},
		"the same, as billing has it":   {[]*billingv1.LedgerEntry{entry(kindExpiry, causeOperator, ofPlan, -8, "Unused plan credits expired")}, row{"Unused plan credits expired", "Their period was over", -8, fromPlan, ""}},
		"a plan that an operator ended": {[]*billingv1.LedgerEntry{entry(kindExpiry, causeOperator, ofPlan, -8, "Looking at an ended plan")}, row{"Plan ended by Serein", "Looking at an ended plan", -8, fromPlan, ""}},
		"a correction of nothing left":  {[]*billingv1.LedgerEntry{entry(kindCorrection, "", billingv1.Pool_POOL_UNSPECIFIED, 0, "Given twice")}, row{"Corrected by Serein, with nothing left to take", "Given twice", 0, fromBoth, ""}},
		"a used reward that goes":       {[]*billingv1.LedgerEntry{entry(kindRewardTaken, "", ofTopUp, 0)}, row{"A reward was taken back", "The membership that it was for was refunded. Nothing was left of it, so nothing was taken", 0, fromTopUp, ""}},
		"a spent plan that was ended":   {[]*billingv1.LedgerEntry{entry(kindPlanEnd, "", ofPlan, 0, "Looking at an ended plan")}, row{"Plan ended by Serein", "Looking at an ended plan", 0, fromPlan, ""}},
		"something that is new":         {[]*billingv1.LedgerEntry{entry(kindGrant, "gift", ofTopUp, 3, "A gift")}, row{"A gift", "", 3, fromTopUp, ""}},
		"something without a word":      {[]*billingv1.LedgerEntry{entry(kindGrant, "", ofTopUp, 3)}, row{"Credits were added", "", 3, fromTopUp, ""}},
		"with sound":                    {[]*billingv1.LedgerEntry{entry(kindSpend, "", ofPlan, -2, "", "meditation:m-rain")}, row{"After the long meeting", "Immersive, from your plan", -2, fromPlan, "m-rain"}},
		"voice alone":                   {[]*billingv1.LedgerEntry{entry(kindSpend, "", ofTopUp, -1, "", "meditation:m-voice")}, row{"Sunday, all of it", "Voice only, from your top-up credits", -1, fromTopUp, "m-voice"}},
		"one that is gone":              {[]*billingv1.LedgerEntry{entry(kindSpend, "", ofPlan, -1, "", "meditation:m-gone")}, row{"A meditation", "From your plan", -1, fromPlan, ""}},
		"one nobody tells of now":       {[]*billingv1.LedgerEntry{entry(kindSpend, "", ofPlan, -1, "", "meditation:m-far")}, row{"A meditation", "From your plan", -1, fromPlan, "m-far"}},
		"a price that came back":        {[]*billingv1.LedgerEntry{entry(kindRefund, "", ofPlan, 1, "", "meditation:m-voice")}, row{"Sunday, all of it", "Its sound was lost. Your credit is back.", 1, fromPlan, "m-voice"}},
		"a price out of both": {
			[]*billingv1.LedgerEntry{entry(kindSpend, "", ofTopUp, -1, "", "meditation:m-rain"), entry(kindSpend, "", ofPlan, -1, "", "meditation:m-rain")},
			row{"After the long meeting", "Immersive, from your plan and your top-up credits", -2, fromBoth, "m-rain"},
		},
		"a price that came back to both": {
			[]*billingv1.LedgerEntry{entry(kindRefund, "", ofTopUp, 1, "", "meditation:m-rain"), entry(kindRefund, "", ofPlan, 1, "", "meditation:m-rain")},
			row{"After the long meeting", "Its sound was lost. Your 2 credits are back.", 2, fromBoth, "m-rain"},
		},
	} {
		rows := aLedger().rows(c.entries, nil)
		require.Len(t, rows, 1, name)
		got := rows[0]
		require.Equal(t, c.want, row{got.GetTitle(), got.GetDetail(), got.GetChange(), got.GetPool(), got.GetMeditationId()}, name)
		require.Equal(t, c.entries[0].GetId(), got.GetId(), name)
		require.EqualValues(t, 35, got.GetBalance(), name)
	}
}

func TestWhatWasNotWrittenTogetherStaysApart(t *testing.T) {
	t.Parallel()
	earlier := func(e *billingv1.LedgerEntry) *billingv1.LedgerEntry {
		e.Time = timestamppb.New(fixed().Add(-time.Microsecond))
		return e
	}
	for name, pair := range map[string][2]*billingv1.LedgerEntry{
		"an expiry of before":            {entry(kindGrant, causeSubscription, ofPlan, 20, "Core"), earlier(entry(kindExpiry, causeSubscription, ofPlan, -2))},
		"credits of a hold that expired": {entry(kindGrant, causeSubscription, ofPlan, 20, "Core"), entry(kindExpiry, causeSubscription, ofPlan, -2, "", "meditation:m-rain")},
		"a pack and an expiry":           {entry(kindGrant, causeOrder, ofTopUp, 20), entry(kindExpiry, causeSubscription, ofPlan, -2)},
		"two meditations":                {entry(kindSpend, "", ofTopUp, -1, "", "meditation:m-rain"), entry(kindSpend, "", ofPlan, -1, "", "meditation:m-voice")},
		"one that was made twice":        {entry(kindSpend, "", ofPlan, -1, "", "meditation:m-rain"), entry(kindSpend, "", ofPlan, -1, "", "meditation:m-rain")},
		"a price and its return":         {entry(kindRefund, "", ofTopUp, 1, "", "meditation:m-rain"), entry(kindSpend, "", ofPlan, -1, "", "meditation:m-rain")},
		"work that was not made":         {released(1, 0, "m-failed"), entry(kindExpiry, causeSubscription, ofPlan, -1, "", "meditation:m-failed")},
		"two that were not made":         {released(1, 0, "m-failed"), released(0, 1, "m-failed")},
		"the other way round":            {entry(kindExpiry, causeSubscription, ofPlan, -2), entry(kindGrant, causeSubscription, ofPlan, 20)},
	} {
		require.Len(t, groups(pair[:]), 2, name)
	}
	three := []*billingv1.LedgerEntry{
		entry(kindGrant, causeChange, ofPlan, 41, "Premium"), entry(kindExpiry, causeSubscription, ofPlan, -20), entry(kindExpiry, causeTrial, ofPlan, -3),
	}
	require.Len(t, groups(three), 2, "a pair has two")
}

func TestHoldsStandAmongTheEntriesByTheirTime(t *testing.T) {
	t.Parallel()
	hold := func(after time.Duration, plan, topUp int64, id string) *billingv1.OpenHold {
		return &billingv1.OpenHold{Time: timestamppb.New(fixed().Add(after)), PlanCredits: plan, TopUpCredits: topUp, Reference: "meditation:" + id}
	}
	newer := entry(kindSpend, "", ofPlan, -1, "", "meditation:m-voice")
	newer.Time, newer.BalanceAfter = timestamppb.New(fixed().Add(time.Minute)), 34
	rows := aLedger().rows([]*billingv1.LedgerEntry{newer, entry(kindGrant, causeOrder, ofTopUp, 40)}, []*billingv1.OpenHold{
		hold(time.Hour, 2, 0, "m-rain"), hold(time.Second, 1, 1, "m-far"), hold(-time.Hour, 0, 1, "m-gone"),
	})
	require.True(t, proto.Equal(&webv1.LedgerRow{
		Id: "hold:meditation:m-rain", Time: timestamppb.New(fixed().Add(time.Hour)), Title: "After the long meeting", Detail: "Reserved while it’s being made",
		Held: 2, Balance: 34, Pool: webv1.LedgerPool_LEDGER_POOL_PLAN, MeditationId: "m-rain",
	}, rows[0]), "%v", rows[0])
	var titles []string
	for _, r := range rows {
		titles = append(titles, r.GetTitle())
	}
	require.Equal(t, []string{"After the long meeting", "Sunday, all of it", "A meditation", "You topped up", "A meditation"}, titles)
	require.Equal(t, []webv1.LedgerPool{webv1.LedgerPool_LEDGER_POOL_BOTH, webv1.LedgerPool_LEDGER_POOL_TOP_UP}, []webv1.LedgerPool{rows[2].GetPool(), rows[4].GetPool()})
	require.EqualValues(t, 35, rows[2].GetBalance())
	require.Equal(t, []string{"m-far", ""}, []string{rows[2].GetMeditationId(), rows[4].GetMeditationId()})
}
