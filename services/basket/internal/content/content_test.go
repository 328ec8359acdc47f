package content

import (
	"testing"

	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/basket/internal/basket"
	"serein.app/services/platform/itemkind"
)

func amount(value int64) *contentv1.Amount {
	return &contentv1.Amount{Value: value, Currency: "gbp"}
}

func TestWhatIsSoldFollowsFromTheShopAndFromNothingElse(t *testing.T) {
	t.Parallel()
	sold := toCatalogue(&contentv1.GetShopResponse{
		// What plans, packs and products say beside the items sells nothing.
		Plans: []*contentv1.ShopPlan{{Id: "trial", Kind: "trial"}, {Id: "unpriced", Kind: "member"}},
		Items: []*contentv1.ShopItem{
			{ProductId: "core", Size: "month", Kind: "membership", Price: amount(799)},
			{ProductId: "core", Size: "year", Kind: "membership", Price: amount(7990)},
			{ProductId: "generate", Size: "year", Kind: "membership", Price: amount(5990)},
			{ProductId: "credits", Kind: "credit_pack", Price: amount(599)},
			{ProductId: "tee", Size: "S", Kind: "product", Price: amount(2800)},
			{ProductId: "tee", Size: "M", Kind: "product", Price: amount(2800), SoldOut: true},
			{ProductId: "socks", Kind: "product", Price: amount(900), SoldOut: true},
			{ProductId: "another", Kind: "a kind of tomorrow", Price: amount(1)},
		},
	})
	of := func(value int64) basket.Size { return basket.Size{Amount: value, Currency: "gbp"} }
	gone := func(value int64) basket.Size { return basket.Size{Amount: value, Currency: "gbp", SoldOut: true} }
	require.Equal(t, basket.Catalogue{
		"core":     {Kind: itemkind.Membership, Sizes: map[string]basket.Size{"month": of(799), "year": of(7990)}},
		"generate": {Kind: itemkind.Membership, Sizes: map[string]basket.Size{"year": of(5990)}},
		"credits":  {Kind: itemkind.CreditPack, Sizes: map[string]basket.Size{"": of(599)}},
		"tee":      {Kind: itemkind.Product, Sizes: map[string]basket.Size{"S": of(2800), "M": gone(2800)}},
		"socks":    {Kind: itemkind.Product, Sizes: map[string]basket.Size{"": gone(900)}},
	}, sold)
}
