package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/platform/erasure"
	"serein.app/services/platform/retention"
)

// Retention is what billing removes. Entries are the books and stay, with all that they need to be
// read by: a hold's entries name it and its reference.
func Retention() []retention.Policy {
	return []retention.Policy{
		{
			Name: "holds", Table: "holds", Column: "created_at", Where: "state <> 'held'", Keep: 90 * retention.Day,
			Reason: "Its key answers a repeated request, and a refund is reckoned from it within days. What was spent stays in the ledger.",
			Remove: through("remove_ended_holds"),
		},
		{
			Name: "checkouts unpaid", Table: "orders", Column: "created_at", Where: "state = 'closed'", Keep: 90 * retention.Day,
			Reason: "Its key answers a repeated request, and a member may ask within weeks what became of it. Its lines go with it.",
			Remove: through("remove_closed_orders"),
		},
		{
			Name: "orders", Table: "orders", Column: "created_at", Where: "completed_at IS NOT NULL", Keep: (7*365 + 2) * retention.Day, // seven years with two leap days
			Reason: "The books of a sale: six years from the end of its year, as the law of the United Kingdom asks. Its lines go with it; the address goes with the account.",
			Remove: through("remove_old_orders"),
		},
		{
			Name: "webhook events", Table: "webhook_events", Column: "received_at", Keep: 90 * retention.Day,
			Reason: "An event must not be kept twice. The provider sends one for days and lists it for 30.",
		},
		{
			Name: "changes of plan", Table: "plan_changes", Column: "created_at", Keep: 90 * retention.Day,
			Reason: "Its key answers a repeated request. What it charged is an order, what it gave stands in the ledger.",
		},
		erasure.DepartedPolicy(),
		{
			Name: "departures", Table: "departures", Column: "departed_at", Where: "done_at IS NOT NULL", Keep: 90 * retention.Day,
			Reason: "What of a deleted account has to end, and when it had. The release before knows by it who has gone; a later one removes a row when all has ended.",
		},
	}
}

// through removes by the function that may: the service's role cannot delete those rows.
func through(function string) func(context.Context, *pgxpool.Pool, time.Time, int) (int, error) {
	return func(ctx context.Context, db *pgxpool.Pool, before time.Time, most int) (removed int, err error) {
		err = db.QueryRow(ctx, "SELECT "+function+"($1, $2)", before, most).Scan(&removed)
		return removed, err
	}
}
