package billing

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/pagetoken"
)

// held sets credits aside and gives the hold's id.
func (r *harness) held(tb testing.TB, uid string, amount int64, key string) string {
	tb.Helper()
	res, err := r.credits(tb, "generation").Hold(tb.Context(), holdRequest(uid, amount, key))
	require.NoError(tb, err)
	return res.GetHold().GetId()
}

func (r *harness) releases(tb testing.TB, hold string) {
	tb.Helper()
	_, err := r.credits(tb, "generation").Release(tb.Context(), &billingv1.ReleaseRequest{HoldId: hold})
	require.NoError(tb, err)
}

// pages reads a whole ledger; between is done before each further page.
func (r *harness) pages(tb testing.TB, uid string, size int32, between func()) (all []*billingv1.LedgerEntry) {
	tb.Helper()
	req := &billingv1.ListLedgerEntriesRequest{Uid: uid, PageSize: size}
	for {
		page, err := r.ledger(tb, "gateway").ListLedgerEntries(auth.WithMember(tb.Context(), uid), req)
		require.NoError(tb, err)
		require.LessOrEqual(tb, len(page.GetEntries()), int(size))
		all = append(all, page.GetEntries()...)
		if req.PageToken = page.GetNextPageToken(); req.PageToken == "" {
			return all
		}
		between()
	}
}

func TestWorkThatWasNotMadeStandsInTheLedgerWhereItEndedAndNoPageJumps(t *testing.T) {
	t.Parallel()
	r := start(t)
	uid, other := newMember(), newMember()
	r.topUp(t, uid, 2)
	_, err := r.Pool.Exec(t.Context(), `SELECT grant_credits($1, 'plan', 3, 'trial:' || gen_random_uuid(), now() + interval '7 days', 'Free trial', '', now())`, uid)
	require.NoError(t, err)
	r.releases(t, r.held(t, uid, 4, "both"))
	made, plan := r.held(t, uid, 1, "made"), r.held(t, uid, 2, "plan")
	_, err = r.credits(t, "generation").Capture(t.Context(), &billingv1.CaptureRequest{HoldId: made})
	require.NoError(t, err)
	r.releases(t, plan)
	r.releases(t, plan)

	type line struct {
		id, kind, reference           string
		change, balance, plan, topUps int64
		pool                          billingv1.Pool
	}
	want := []line{
		{"3.2", "release", "meditation:plan", 0, 4, 2, 0, billingv1.Pool_POOL_PLAN},
		{"3", "spend", "meditation:made", -1, 4, 0, 0, billingv1.Pool_POOL_PLAN},
		{"2.1", "release", "meditation:both", 0, 5, 3, 1, billingv1.Pool_POOL_UNSPECIFIED},
		{"2", "grant", "", 3, 5, 0, 0, billingv1.Pool_POOL_PLAN},
		{"1", "grant", "", 2, 2, 0, 0, billingv1.Pool_POOL_TOP_UP},
	}
	for size := int32(1); size <= 6; size++ {
		var lines []line
		for _, e := range r.pages(t, uid, size, func() { r.releases(t, r.held(t, uid, 1, "later"+newMember())) }) {
			lines = append(lines, line{e.GetId(), e.GetKind(), e.GetReference(), e.GetChange(), e.GetBalanceAfter(), e.GetPlanCredits(), e.GetTopUpCredits(), e.GetPool()})
		}
		require.Equal(t, want, lines[len(lines)-len(want):], "what comes later is above all of it")
	}
	require.Empty(t, r.pages(t, other, 5, func() {}))
	for _, place := range []credits.Place{{}, {Position: -1}, {Position: 3, Number: -1}} {
		_, err := r.ledger(t, "gateway").ListLedgerEntries(auth.WithMember(t.Context(), uid), &billingv1.ListLedgerEntriesRequest{Uid: uid, PageToken: pagetoken.Encode(place)})
		requireReason(t, err, "PAGE_TOKEN_INVALID")
	}
}

// The causes of a reward name the friend, so that each is granted once. The API does not show them to readers of the ledger.
func TestALedgerTellsNobodyWhoTheFriendIs(t *testing.T) {
	t.Parallel()
	r := start(t)
	referrer, friend := newMember(), newMember()
	for uid, cause := range map[string]string{referrer: "referral:" + friend + ":referrer", friend: "referral:" + friend + ":friend"} {
		_, err := r.Pool.Exec(t.Context(), `SELECT grant_credits($1, 'top_up', 5, $2, NULL, 'A reward', '', now())`, uid, cause)
		require.NoError(t, err)
		_, err = r.Pool.Exec(t.Context(), `SELECT reverse_credits($1, 'top_up', $2, 5, 'reversal:' || $2, 'The membership was refunded', '', now())`, uid, cause)
		require.NoError(t, err)
	}
	for uid, cause := range map[string]string{referrer: "referral", friend: "invitation"} {
		page, err := r.ledger(t, "gateway").ListLedgerEntries(auth.WithMember(t.Context(), uid), &billingv1.ListLedgerEntriesRequest{Uid: uid})
		require.NoError(t, err)
		require.Len(t, page.GetEntries(), 2)
		for _, e := range page.GetEntries() {
			require.Equal(t, cause, e.GetCause(), e.GetKind())
		}
		text, err := protojson.Marshal(page)
		require.NoError(t, err)
		require.NotContains(t, string(text), friend)
	}
}
