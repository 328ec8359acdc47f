package postgres

import (
	"context"

	"github.com/google/uuid"

	"serein.app/services/basket/internal/basket"
	"serein.app/services/basket/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Purchased is at most so many of what a member has bought, the newest first, older than before.
func (s *Store) Purchased(ctx context.Context, uid uuid.UUID, before basket.Place, most int) ([]basket.Purchased, error) {
	rows, err := s.queries.Purchased(ctx, s.db, sqlcgen.PurchasedParams{
		Uid: uid, BeforeAt: before.At.Time, BeforeOrder: before.OrderID, BeforePosition: before.Position, Most: int32(most),
	})
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	items := make([]basket.Purchased, len(rows))
	for i, row := range rows {
		items[i] = basket.Purchased{
			OrderID: row.OrderID, Position: row.Position, ProductID: row.ProductID, Name: row.Name, Size: row.Size, Quantity: row.Quantity,
			UnitAmount: row.UnitAmount, Currency: row.Currency, At: row.PurchasedAt.UTC(), Cause: basket.Cause(row.Cause),
		}
	}
	return items, nil
}
