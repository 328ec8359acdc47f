package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/budget"
	"serein.app/services/generation/internal/postgres/sqlcgen"
)

var _ budget.Store = (*Store)(nil)

// AddSpent implements budget.Store.
func (s *Store) AddSpent(ctx context.Context, day time.Time, kind budget.Kind, cost budget.Cost, uids []uuid.UUID) error {
	return translate(s.queries.AddSpent(ctx, s.db, sqlcgen.AddSpentParams{
		Day: day, Kind: string(kind), Microunits: int64(cost), Uids: uids,
	}))
}

// Spent implements budget.Store.
func (s *Store) Spent(ctx context.Context, day time.Time, kind budget.Kind, uids []uuid.UUID) (map[uuid.UUID]budget.Cost, error) {
	rows, err := s.queries.Spent(ctx, s.db, sqlcgen.SpentParams{Day: day, Kind: string(kind), Uids: uids})
	if err != nil {
		return nil, translate(err)
	}
	spent := map[uuid.UUID]budget.Cost{}
	for _, row := range rows {
		spent[row.Uid] = budget.Cost(row.Microunits)
	}
	return spent, nil
}

// ForgetSpent removes what a deleted account's work has cost. The service's sums keep it.
func (s *Store) ForgetSpent(ctx context.Context, uid uuid.UUID) error {
	return translate(s.queries.ForgetSpent(ctx, s.db, uid))
}
