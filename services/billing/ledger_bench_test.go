package billing

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/credits"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/pagetoken"
)

// BenchmarkLedgerPage measures what a page of a long ledger takes, 10,000 entries with notes among them and holds open, through the RPC:
// the first page, and one in the middle. It may take 10 ms, 99 times of 100.
func BenchmarkLedgerPage(b *testing.B) {
	r := start(b)
	uid := newMember()
	r.topUp(b, uid, 10_000)
	owner, err := pgx.Connect(b.Context(), r.OwnerURL)
	require.NoError(b, err)
	defer func() { _ = owner.Close(context.Background()) }()
	_, err = owner.Exec(b.Context(), `INSERT INTO entries (uid, position, cause, from_account, to_account, amount, balance_after, at, description, reference)
		SELECT $1, n, 'hold:' || gen_random_uuid(), 'top_up', 'spent', 1, 10001 - n, now(), '', 'meditation:' || gen_random_uuid() FROM generate_series(2, 9990) n`, uid)
	require.NoError(b, err)
	_, err = owner.Exec(b.Context(), `INSERT INTO notes (uid, position, number, kind, cause, plan_credits, top_up_credits, balance_after, at, description, reference)
		SELECT $1, n * 9, n, 'release', 'release:' || gen_random_uuid(), 0, 1, 10001 - n * 9, now(), '', 'meditation:' || gen_random_uuid() FROM generate_series(1, 1000) n`, uid)
	require.NoError(b, err)
	_, err = owner.Exec(b.Context(), `UPDATE balances SET top_up_available = 11, entry_count = 9990, note_count = 1000 WHERE uid = $1`, uid)
	require.NoError(b, err)
	_, err = owner.Exec(b.Context(), `ANALYZE entries, notes`)
	require.NoError(b, err)
	for _, key := range []string{"one", "two", "three"} {
		_, err := r.credits(b, "generation").Hold(b.Context(), holdRequest(uid, 2, key))
		require.NoError(b, err)
	}
	ctx, ledger := auth.WithMember(b.Context(), uid), r.ledger(b, "gateway")
	for name, token := range map[string]string{"First": "", "Middle": middle} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				page, err := ledger.ListLedgerEntries(ctx, &billingv1.ListLedgerEntriesRequest{Uid: uid, PageToken: token})
				took = append(took, time.Since(began))
				require.NoError(b, err)
				require.Len(b, page.GetEntries(), 50)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
		})
	}
}

// middle is the page token of position 5,000.
var middle = pagetoken.Encode(credits.Place{Position: 5000})
