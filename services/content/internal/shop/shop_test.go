package shop_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/reading"
	"serein.app/services/content/internal/shop"
)

const locale = "en-GB"

type values map[string]any

func page(id string, of values) reading.Page {
	p := entry.Published{Key: entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}, Fields: entry.Fields{}}
	for field, value := range of {
		p.Fields[field] = map[string]any{locale: value}
	}
	return reading.PageOf(p, locale)
}

func price(value any, currency string, credits any) values {
	return values{"price": value, "currency": currency, "credits": credits}
}

func object(of values) map[string]any { return of }

func TestAPeriodWhosePriceCannotBeReadIsNotSoldAndTheRestOfThePlanIs(t *testing.T) {
	t.Parallel()
	fine := object(price(799.0, "gbp", 20.0))
	for why, wrong := range map[string]any{
		"a word":              "799",
		"a price in words":    object(price("799", "gbp", 20.0)),
		"a part of a penny":   object(price(7.99, "gbp", 20.0)),
		"nothing":             object(price(0.0, "gbp", 20.0)),
		"less than nothing":   object(price(-1.0, "gbp", 20.0)),
		"more than a number":  object(price(1e300, "gbp", 20.0)),
		"no currency":         object(values{"price": 799.0, "credits": 20.0}),
		"another's spelling":  object(price(799.0, "GBP", 20.0)),
		"no credits":          object(values{"price": 799.0, "currency": "gbp"}),
		"credits to be given": object(price(799.0, "gbp", -1.0)),
		"a list":              []any{799.0},
	} {
		s, faults := shop.Of(map[string][]reading.Page{"membershipTier": {
			page("core", values{"title": "Core", "kind": "member", "order": 2.0, "monthly": wrong, "yearly": fine}),
		}})
		require.Len(t, s.Plans, 1, why)
		require.Nil(t, s.Plans[0].Monthly, why)
		require.Equal(t, &shop.Period{Price: shop.Amount{Value: 799, Currency: "gbp"}, Credits: 20}, s.Plans[0].Yearly, why)
		require.Len(t, faults, 1, why)
		require.Equal(t, "core", faults[0].ID)
		require.Contains(t, faults[0].Why, "monthly")
	}
}

func TestAPlanThatIsNotSoldForAPeriodIsNoFault(t *testing.T) {
	t.Parallel()
	s, faults := shop.Of(map[string][]reading.Page{"membershipTier": {page("journey", values{"kind": "enquiry"})}})
	require.Empty(t, faults)
	require.Nil(t, s.Plans[0].Monthly)
	require.Nil(t, s.Plans[0].Yearly)
}

func TestTheTrialHasItsDaysAndNoPrice(t *testing.T) {
	t.Parallel()
	s, faults := shop.Of(map[string][]reading.Page{"membershipTier": {
		page("trial", values{"kind": "trial", "trialDays": 7.0, "invitedTrialDays": 14.0, "trialCredits": 8.0, "monthly": object(price(1.0, "gbp", 1.0))}),
		page("endless", values{"kind": "trial", "invitedTrialDays": 14.0}),
	}})
	require.Len(t, s.Plans, 1)
	require.Equal(t, []any{int32(7), int32(14), int64(8)}, []any{s.Plans[0].TrialDays, s.Plans[0].InvitedTrialDays, s.Plans[0].TrialCredits})
	require.Nil(t, s.Plans[0].Monthly)
	require.Equal(t, "endless", faults[0].ID)
}

func TestWhatHasNoPriceOrNoCreditsIsLeftOutAndTheOthersAreSold(t *testing.T) {
	t.Parallel()
	s, faults := shop.Of(map[string][]reading.Page{
		"creditPack": {
			page("free", values{"price": 0.0, "currency": "gbp", "credits": 20.0}),
			page("empty", values{"price": 599.0, "currency": "gbp", "credits": 0.0}),
			page("fine", values{"price": 599.0, "currency": "gbp", "credits": 20.0, "saving": 8.0}),
		},
		"product": {page("dear", values{"price": "much", "currency": "gbp"}), page("tee", values{"price": 2800.0, "currency": "gbp"})},
	})
	require.Equal(t, []shop.Pack{{ID: "fine", Credits: 20, Price: shop.Amount{Value: 599, Currency: "gbp"}, Saving: 8}}, s.Packs)
	require.Len(t, s.Products, 1)
	require.Equal(t, "tee", s.Products[0].ID)
	var left []string
	for _, f := range faults {
		left = append(left, f.ID)
	}
	require.ElementsMatch(t, []string{"free", "empty", "dear"}, left)
}

func TestAProductIsSoldOutInASizeOrAltogether(t *testing.T) {
	t.Parallel()
	of := func(more values) shop.Product {
		more["price"], more["currency"] = 2800.0, "gbp"
		s, _ := shop.Of(map[string][]reading.Page{"product": {page("tee", more)}})
		return s.Products[0]
	}
	require.False(t, of(values{}).SoldOut)
	require.True(t, of(values{"soldOut": true}).SoldOut)
	sizes := []any{"S", "M"}
	some := of(values{"sizes": sizes, "soldOutSizes": []any{"M"}})
	require.False(t, some.SoldOut)
	require.Equal(t, []shop.Size{{Name: "S"}, {Name: "M", SoldOut: true}}, some.Sizes)
	require.True(t, of(values{"sizes": sizes, "soldOutSizes": []any{"M", "S"}}).SoldOut, "in every size")
	require.Equal(t, []shop.Size{{"S", true}, {"M", true}}, of(values{"sizes": sizes, "soldOut": true}).Sizes)
}

func TestASizeHasANameOfItsOwn(t *testing.T) {
	t.Parallel()
	s, faults := shop.Of(map[string][]reading.Page{"product": {
		page("tee", values{"price": 1.0, "currency": "gbp", "sizes": []any{"S", "", "S", strings.Repeat("X", 41), "M"}, "soldOutSizes": []any{"XS"}}),
		page("socks", values{"price": 1.0, "currency": "gbp", "sizes": []any{""}}),
	}})
	require.Len(t, s.Products, 1, "what has sizes is not sold without one")
	require.Equal(t, []shop.Size{{Name: "S"}, {Name: "M"}}, s.Products[0].Sizes)
	require.Len(t, faults, 5)
}

func TestListsKeepTheEditorsOrder(t *testing.T) {
	t.Parallel()
	at := func(order float64) values {
		return values{"order": order, "price": 1.0, "currency": "gbp", "credits": 1.0, "kind": "member", "question": "?"}
	}
	pages := []reading.Page{page("c", at(3)), page("a", at(1)), page("b", at(2))}
	s, faults := shop.Of(map[string][]reading.Page{"membershipTier": pages, "creditPack": pages, "product": pages, "faq": pages})
	require.Empty(t, faults)
	for i, id := range []string{"a", "b", "c"} {
		require.Equal(t, []string{id, id, id}, []string{s.Plans[i].ID, s.Packs[i].ID, s.Products[i].ID})
	}
	require.Len(t, s.Memberships.Questions, 3)
}
