package content

import (
	"testing"

	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/basket/internal/basket"
)

func amount(value int64) *contentv1.Amount {
	return &contentv1.Amount{Value: value, Currency: "gbp"}
}

func TestWhatIsSoldFollowsFromTheShopAndFromNothingElse(t *testing.T) {
	t.Parallel()
	period := func(value int64) *contentv1.ShopPeriod { return &contentv1.ShopPeriod{Price: amount(value)} }
	sold := toCatalogue(&contentv1.GetShopResponse{
		Plans: []*contentv1.ShopPlan{
			{Id: "core", Kind: "member", Monthly: period(799), Yearly: period(7990)},
			{Id: "generate", Kind: "generate", Yearly: period(5990)},
			{Id: "unpriced", Kind: "member"},
			{Id: "trial", Kind: "trial", Monthly: period(1)},
			{Id: "enquiry", Kind: "enquiry", Monthly: period(1)},
			{Id: "another", Kind: "a kind of tomorrow", Monthly: period(1)},
		},
		Packs: []*contentv1.ShopPack{{Id: "credits", Price: amount(599)}},
		Products: []*contentv1.ShopProduct{
			{Id: "tee", Price: amount(2800), Sizes: []*contentv1.ShopSize{{Name: "S"}, {Name: "M", SoldOut: true}}},
			{Id: "socks", Price: amount(900), SoldOut: true},
		},
	})
	of := func(value int64) basket.Size { return basket.Size{Amount: value, Currency: "gbp"} }
	gone := of(2800)
	gone.SoldOut = true
	require.Equal(t, basket.Catalogue{
		"core":     {Kind: basket.Membership, Sizes: map[string]basket.Size{"month": of(799), "year": of(7990)}},
		"generate": {Kind: basket.Membership, Sizes: map[string]basket.Size{"year": of(5990)}},
		"credits":  {Kind: basket.Pack, Sizes: map[string]basket.Size{"": of(599)}},
		"tee":      {Kind: basket.Product, Sizes: map[string]basket.Size{"S": of(2800), "M": gone}},
		"socks":    {Kind: basket.Product, SoldOut: true, Sizes: map[string]basket.Size{"": of(900)}},
	}, sold)
}
