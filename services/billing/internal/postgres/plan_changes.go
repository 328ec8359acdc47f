package postgres

import (
	"context"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/postgres"
)

// ChangeByKey gives a change that was asked for under a key.
func (s *Store) ChangeByKey(ctx context.Context, uid uuid.UUID, key string) (subscriptions.PlanChange, error) {
	row, err := s.queries.PlanChangeByKey(ctx, s.db, sqlcgen.PlanChangeByKeyParams{Uid: uid, IdempotencyKey: key})
	return toChange(row), postgres.Translate(err, nil)
}

// OpenChange gives the member's change that is under way.
func (s *Store) OpenChange(ctx context.Context, uid uuid.UUID) (subscriptions.PlanChange, error) {
	row, err := s.queries.OpenPlanChange(ctx, s.db, uid)
	return toChange(row), postgres.Translate(err, nil)
}

func toChange(row sqlcgen.PlanChange) subscriptions.PlanChange {
	return subscriptions.PlanChange{
		ID: row.ID, UID: row.Uid, Key: row.IdempotencyKey, Request: row.Request, PriceID: row.PriceID, At: row.At.UTC(), CreatedAt: row.CreatedAt.UTC(),
		Done: row.DoneAt != nil,
	}
}

// StartChange keeps a change before the provider is asked; false where one of the member's is under way, or has that key.
func (s *Store) StartChange(ctx context.Context, c subscriptions.PlanChange) (bool, error) {
	n, err := s.queries.AddPlanChange(ctx, s.db, sqlcgen.AddPlanChangeParams{
		ID: c.ID, Uid: c.UID, IdempotencyKey: c.Key, Request: c.Request, PriceID: c.PriceID, At: c.At, CreatedAt: c.CreatedAt,
	})
	return n > 0, postgres.Translate(err, nil)
}

// FinishChange notes that a change was made.
func (s *Store) FinishChange(ctx context.Context, c subscriptions.PlanChange) error {
	return postgres.Translate(s.queries.FinishPlanChange(ctx, s.db, sqlcgen.FinishPlanChangeParams{Uid: c.UID, IdempotencyKey: c.Key, At: s.now()}), nil)
}

// DropChange forgets a change that was not made.
func (s *Store) DropChange(ctx context.Context, c subscriptions.PlanChange) error {
	return postgres.Translate(s.queries.DropPlanChange(ctx, s.db, sqlcgen.DropPlanChangeParams{Uid: c.UID, IdempotencyKey: c.Key}), nil)
}
