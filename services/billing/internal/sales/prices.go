package sales

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"serein.app/services/platform/postgres"
)

// SyncPrices stores content's catalogue and compares it with the provider's prices. It creates a price for an item without one. An item
// whose price differs cannot be bought until an operator has accepted the catalogue's price.
func (s *Service) SyncPrices(ctx context.Context) error {
	if err := s.syncPrices(ctx); err != nil {
		s.Metrics.CatalogueFailed(ctx)
		return err
	}
	return nil
}

func (s *Service) syncPrices(ctx context.Context) error {
	// While content is down, billing keeps its last copy of the catalogue and compares that one.
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

// compare updates the provider's price, and whether it matches, of each item.
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
	var faults []error
	for _, item := range items {
		// A fault of one hides no other that differs.
		price, err := s.priced(ctx, item, prices[item.LookupKey()])
		faults = append(faults, err)
		if price.ID == "" {
			continue
		}
		item = item.matchPrice(price)
		if !item.PriceMatches {
			s.Log.ErrorContext(ctx, "the provider's price is not the catalogue's; it cannot be bought until `billing accept-price` has been run",
				"price", item.LookupKey(), "catalogue", fmt.Sprintf("%d %s %s", item.Amount, item.Currency, item.Size), "provider", item.Offered)
		}
		seen = append(seen, item)
	}
	return errors.Join(append(faults, s.Store.SaveAgreement(ctx, seen))...)
}

// priced gives the provider's price of an item and creates it if found has no id. The hosted page shows the name of the price's product:
// after the catalogue renames an item, priced creates a price of the same figures with the new name. Until then the old price is used.
func (s *Service) priced(ctx context.Context, item Item, found ProviderPrice) (ProviderPrice, error) {
	if found.ID == "" {
		made, err := s.Provider.CreatePrice(ctx, priceKey("price", item, s.Now()), item.newPrice())
		if err != nil {
			return found, fmt.Errorf("make the price %s: %w", item.LookupKey(), err)
		}
		return made, nil
	}
	if !item.matchPrice(found).PriceMatches || found.Name == item.Name {
		return found, nil
	}
	named, err := s.Provider.CreatePrice(ctx, nameKey(found.ID, item, s.Now()), item.newPrice())
	if err != nil {
		return found, fmt.Errorf("name the price %s: %w", item.LookupKey(), err)
	}
	return named, nil
}

// moment is the layout of the time within a key: a key is the same for one minute. A call in a later minute looks first and finds the price
// that an earlier call created. An error that the provider repeats to a key lasts no longer than that key's minute.
const moment = "2006-01-02T15:04"

// priceKey is the key of making a price: within a minute the same figures make one.
func priceKey(act string, i Item, now time.Time) string {
	return fmt.Sprintf("%s:%s:%d:%s:%s", act, i.LookupKey(), i.Amount, i.Currency, now.UTC().Format(moment))
}

// nameKey is the key of naming: within a minute one price is replaced by one name once.
func nameKey(replaced string, i Item, now time.Time) string {
	return fmt.Sprintf("name:%s:%x:%s", replaced, sha256.Sum256([]byte(i.Name)), now.UTC().Format(moment))
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
		// The replaced price is part of the key, so that an operator can accept figures again that were accepted and changed before.
		price, err := s.Provider.CreatePrice(ctx, priceKey("accept:"+item.PriceID, item, s.Now()), item.newPrice())
		if err != nil {
			return Item{}, fmt.Errorf("make the price %s: %w", lookupKey, err)
		}
		item = item.matchPrice(price)
		return item, s.Store.SaveAgreement(ctx, []Item{item})
	}
	return Item{}, postgres.ErrNotFound
}
