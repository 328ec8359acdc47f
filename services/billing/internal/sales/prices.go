package sales

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"serein.app/services/platform/postgres"
)

// Agree takes the catalogue over and compares it with the provider's prices. What the provider has no price for gets one;
// what differs is not purchasable until an operator has accepted the catalogue's price.
func (s *Service) Agree(ctx context.Context) error {
	if err := s.agree(ctx); err != nil {
		s.Metrics.CatalogueFailed(ctx)
		return err
	}
	return nil
}

func (s *Service) agree(ctx context.Context) error {
	// While content is away the last copy stands, and is compared all the same.
	catalogue, away := s.Shop.Catalogue(ctx)
	if away == nil {
		if err := s.Store.TakeCatalogue(ctx, catalogue); err != nil {
			return fmt.Errorf("take the catalogue: %w", err)
		}
	}
	items, err := s.Prices(ctx)
	if err != nil {
		return err
	}
	if err := s.compare(ctx, items); err != nil {
		return err
	}
	if away != nil {
		return fmt.Errorf("read the catalogue: %w", away)
	}
	return nil
}

// compare brings each item's agreement up to date.
func (s *Service) compare(ctx context.Context, items []Item) error {
	keys := make([]string, len(items))
	for i, item := range items {
		keys[i] = item.LookupKey()
	}
	prices, err := s.Provider.Prices(ctx, keys)
	if err != nil {
		return fmt.Errorf("read the provider's prices: %w", err)
	}
	var seen []Item
	for _, item := range items {
		price, known := prices[item.LookupKey()]
		if !known {
			if price, err = s.Provider.CreatePrice(ctx, priceKey("price", item, s.Now()), item.newPrice()); err != nil {
				return fmt.Errorf("make the price %s: %w", item.LookupKey(), err)
			}
		}
		if known && item.agree(price).Agreed && price.Name != item.Name {
			// The hosted page says what the thing is called. A new price of the same figures names it as the catalogue does.
			if price, err = s.Provider.CreatePrice(ctx, nameKey(price.ID, item), item.newPrice()); err != nil {
				return fmt.Errorf("name the price %s: %w", item.LookupKey(), err)
			}
		}
		item = item.agree(price)
		if !item.Agreed {
			s.Log.ErrorContext(ctx, "the provider's price is not the catalogue's; it cannot be bought until `billing accept-price` has been run",
				"price", item.LookupKey(), "catalogue", fmt.Sprintf("%d %s %s", item.Amount, item.Currency, item.Size), "provider", item.Offered)
		}
		seen = append(seen, item)
	}
	return s.Store.SaveAgreement(ctx, seen)
}

// priceKey is the key of making a price: within a day the same figures make one.
func priceKey(act string, i Item, now time.Time) string {
	return fmt.Sprintf("%s:%s:%d:%s:%s", act, i.LookupKey(), i.Amount, i.Currency, now.UTC().Format(time.DateOnly))
}

// nameKey is the key of naming: one price is replaced by one name once.
func nameKey(replaced string, i Item) string {
	return fmt.Sprintf("name:%s:%x", replaced, sha256.Sum256([]byte(i.Name)))
}

// AcceptPrice makes a new price at the provider with the catalogue's figures, which takes the lookup key over.
func (s *Service) AcceptPrice(ctx context.Context, lookupKey string) (Item, error) {
	items, err := s.Prices(ctx)
	if err != nil {
		return Item{}, err
	}
	for _, item := range items {
		if item.LookupKey() != lookupKey {
			continue
		}
		// The replaced price is part of the key: what was accepted before and changed since is accepted anew.
		price, err := s.Provider.CreatePrice(ctx, priceKey("accept:"+item.PriceID, item, s.Now()), item.newPrice())
		if err != nil {
			return Item{}, fmt.Errorf("make the price %s: %w", lookupKey, err)
		}
		item = item.agree(price)
		return item, s.Store.SaveAgreement(ctx, []Item{item})
	}
	return Item{}, postgres.ErrNotFound
}
