package testkit

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"serein.app/services/platform/retention"
)

// Retain removes what the policies want gone at that moment, and says how many rows it was.
func Retain(tb testing.TB, db *pgxpool.Pool, policies []retention.Policy, at time.Time) (removed int) {
	tb.Helper()
	for _, p := range policies {
		for more := true; more; {
			n, err := p.RemoveBatch(tb.Context(), db, at.Add(-p.Keep), retention.BatchSize)
			require.NoError(tb, err, p.Name)
			removed, more = removed+n, n == retention.BatchSize
		}
	}
	return removed
}
