package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/platform/retention"
)

// Retention is what billing removes. Entries are the books and stay, with all that they need to be
// read by: a hold's entries name it and its reference.
func Retention() []retention.Policy {
	return []retention.Policy{{
		Name: "holds", Table: "holds", Column: "created_at", Where: "state <> 'held'", Keep: 90 * retention.Day,
		Reason: "Its key answers a repeated request, and a refund is reckoned from it within days. What was spent stays in the ledger.",
		Remove: removeEndedHolds,
	}}
}

// removeEndedHolds goes through the function that may: the service's role cannot delete holds.
func removeEndedHolds(ctx context.Context, db *pgxpool.Pool, before time.Time, most int) (removed int, err error) {
	err = db.QueryRow(ctx, "SELECT remove_ended_holds($1, $2)", before, most).Scan(&removed)
	return removed, err
}
