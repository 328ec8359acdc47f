package shop_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/shop"
	"serein.app/services/platform/itemkind"
)

func TestWhatCanBeBoughtIsEachPeriodEachPackAndEachSize(t *testing.T) {
	t.Parallel()
	pounds := func(value int64) shop.Amount { return shop.Amount{Value: value, Currency: "gbp"} }
	period := func(value, credits int64) *shop.Period { return &shop.Period{Price: pounds(value), Credits: credits} }
	got := shop.Shop{
		Plans: []shop.Plan{
			{ID: "trial", Name: "Trial", Kind: "trial"},
			{ID: "core", Name: "Core", Kind: "member", Monthly: period(799, 20), Yearly: period(7990, 240)},
			{ID: "maker", Name: "Maker", Kind: "generate", Yearly: period(5990, 300)},
			{ID: "unpriced", Name: "Later", Kind: "member"},
			{ID: "teams", Name: "Teams", Kind: "enquiry", Monthly: period(1, 0)},
			{ID: "another", Name: "Another", Kind: "a kind of tomorrow", Monthly: period(1, 0)},
		},
		Packs: []shop.Pack{{ID: "ten", Name: "Ten credits", Credits: 10, Price: pounds(599)}},
		Products: []shop.Product{
			{ID: "tee", Name: "Tee", Price: pounds(2800), Sizes: []shop.Size{{Name: "S"}, {Name: "M", SoldOut: true}}},
			{ID: "tote", Name: "Tote", Price: pounds(1600)},
			{ID: "socks", Name: "Socks", Price: pounds(900), SoldOut: true},
		},
	}.Items()
	require.Equal(t, []shop.Item{
		{ProductID: "core", Size: "month", Kind: itemkind.Membership, Name: "Core", Price: pounds(799), Credits: 20},
		{ProductID: "core", Size: "year", Kind: itemkind.Membership, Name: "Core", Price: pounds(7990), Credits: 240},
		{ProductID: "maker", Size: "year", Kind: itemkind.Membership, Name: "Maker", Price: pounds(5990), Credits: 300},
		{ProductID: "ten", Kind: itemkind.CreditPack, Name: "Ten credits", Price: pounds(599), Credits: 10},
		{ProductID: "tee", Size: "S", Kind: itemkind.Product, Name: "Tee", Price: pounds(2800)},
		{ProductID: "tee", Size: "M", Kind: itemkind.Product, Name: "Tee", Price: pounds(2800), SoldOut: true},
		{ProductID: "tote", Kind: itemkind.Product, Name: "Tote", Price: pounds(1600)},
		{ProductID: "socks", Kind: itemkind.Product, Name: "Socks", Price: pounds(900), SoldOut: true},
	}, got)
	require.Empty(t, shop.Shop{}.Items())
}
