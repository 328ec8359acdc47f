package postgres

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/itemkind"
	"serein.app/services/platform/postgres"
)

// jsonPlan and jsonItem are what take_catalogue reads.
type jsonPlan struct {
	ID               string     `json:"id"`
	Name             string     `json:"name"`
	Kind             plans.Kind `json:"kind"`
	Order            int32      `json:"sort_order"`
	Badge            string     `json:"badge"`
	Description      string     `json:"description"`
	Features         []string   `json:"features"`
	Entitlements     []string   `json:"entitlements"`
	TrialDays        int32      `json:"trial_days"`
	InvitedTrialDays int32      `json:"invited_trial_days"`
	TrialCredits     int64      `json:"trial_credits"`
}

type jsonItem struct {
	ProductID string        `json:"product_id"`
	Size      string        `json:"size"`
	Kind      itemkind.Kind `json:"kind"`
	Name      string        `json:"name"`
	Amount    int64         `json:"amount"`
	Currency  string        `json:"currency"`
	Credits   int64         `json:"credits"`
	Sizes     []string      `json:"sizes"`
	SoldOut   []string      `json:"sold_out"`
	NoneLeft  bool          `json:"none_left"`
}

// TakeCatalogue makes the plans, their prices and the items those of c.
func (s *Store) TakeCatalogue(ctx context.Context, c sales.Catalogue) error {
	cards, items := make([]jsonPlan, len(c.Plans)), make([]jsonItem, len(c.Items))
	for i, p := range c.Plans {
		cards[i] = jsonPlan{
			p.ID, p.Name, p.Kind, p.Order, p.Badge, p.Description, list(p.Features), list(p.Entitlements),
			p.TrialDays, p.InvitedTrialDays, p.TrialCredits,
		}
	}
	for i, it := range c.Items {
		items[i] = jsonItem{
			it.ProductID, it.Size, it.Kind, it.Name, it.Amount, it.Currency, it.Credits, list(it.Sizes), list(it.SoldOut), it.NoneLeft,
		}
	}
	plansJSON, err := json.Marshal(cards)
	if err != nil {
		return err
	}
	itemsJSON, err := json.Marshal(items)
	if err != nil {
		return err
	}
	_, err = s.db.Exec(ctx, `SELECT take_catalogue($1, $2)`, plansJSON, itemsJSON)
	return postgres.Translate(err, nil)
}

// list is never null in JSON.
func list(words []string) []string { return append([]string{}, words...) }

// Items are all that is or was sold.
func (s *Store) Items(ctx context.Context) ([]sales.Item, error) {
	rows, err := s.queries.Items(ctx, s.db)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	items := make([]sales.Item, len(rows))
	for i, row := range rows {
		items[i] = sales.Item{
			ProductID: row.ProductID, Size: row.Size, Kind: itemkind.Kind(row.Kind), Name: row.Name, Amount: row.Amount, Currency: row.Currency,
			Credits: row.Credits, Sizes: row.Sizes, SoldOut: row.SoldOut, NoneLeft: row.NoneLeft, Listed: row.Listed,
			PriceID: row.PriceID, PriceMatches: row.Agreed, Offered: row.Offered,
		}
	}
	return items, nil
}

// SaveAgreement notes what the provider has for each item, unless its figures have changed since they were read.
func (s *Store) SaveAgreement(ctx context.Context, items []sales.Item) error {
	at := s.now()
	return postgres.Translate(postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		for _, it := range items {
			err := s.queries.SetAgreement(ctx, tx, sqlcgen.SetAgreementParams{
				ProductID: it.ProductID, Size: it.Size, Amount: it.Amount, Currency: it.Currency,
				PriceID: it.PriceID, Agreed: it.PriceMatches, Offered: it.Offered, CheckedAt: at,
			})
			if err != nil {
				return err
			}
		}
		return nil
	}), nil)
}
