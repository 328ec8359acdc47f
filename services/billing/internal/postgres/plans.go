package postgres

import (
	"context"

	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Plans reads the catalogue in the order of its cards.
func (s *Store) Plans(ctx context.Context) ([]plans.Plan, error) {
	rows, err := s.queries.Plans(ctx, s.db)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	found := make([]plans.Plan, len(rows))
	for i, row := range rows {
		found[i] = toPlan(row)
	}
	return found, nil
}

func toPlan(row sqlcgen.PlansRow) plans.Plan {
	return plans.Plan{
		ID: row.ID, Name: row.Name, Kind: plans.Kind(row.Kind), Order: row.SortOrder, Badge: row.Badge,
		Description: row.Description, Features: row.Features, Entitlements: row.Entitlements,
		Monthly:   toPrice(row.MonthlyAmount, row.MonthlyCurrency, row.MonthlyCredits),
		Yearly:    toPrice(row.YearlyAmount, row.YearlyCurrency, row.YearlyCredits),
		TrialDays: row.TrialDays, InvitedTrialDays: row.InvitedTrialDays, TrialCredits: row.TrialCredits,
	}
}

// toPrice is nil where the join found no price; then all three are missing.
func toPrice(amount *int64, currency *string, credits *int64) *plans.Price {
	if amount == nil {
		return nil
	}
	return &plans.Price{Amount: *amount, Currency: *currency, Credits: *credits}
}
