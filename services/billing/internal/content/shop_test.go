package content_test

import (
	"context"
	"testing"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/billing/internal/content"
	"serein.app/services/billing/internal/plans"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/itemkind"
)

// answering is a content service that sells that.
type answering struct {
	shop *contentv1.GetShopResponse
	err  error
}

func (a answering) GetShop(context.Context, *contentv1.GetShopRequest) (*contentv1.GetShopResponse, error) {
	return a.shop, a.err
}

func pounds(value int64) *contentv1.Amount { return &contentv1.Amount{Value: value, Currency: "gbp"} }

func shop() *contentv1.GetShopResponse {
	return &contentv1.GetShopResponse{
		Plans: []*contentv1.ShopPlan{
			{Id: "trial", Name: "Trial", Kind: "trial", Order: 1, TrialDays: 7, InvitedTrialDays: 14, TrialCredits: 8},
			{
				Id: "core", Name: "Core", Kind: "member", Order: 2, Badge: "Loved", Strapline: "Calm, daily.", Features: []string{"Library"},
				Entitlements: []string{"library"},
			},
			{Id: "maker", Name: "Maker", Kind: "generate", Order: 3},
			{Id: "teams", Name: "Teams", Kind: "enquiry", Order: 4},
		},
		Items: []*contentv1.ShopItem{
			{ProductId: "core", Size: "month", Kind: "membership", Name: "Core", Price: pounds(799), Credits: 20},
			{ProductId: "core", Size: "year", Kind: "membership", Name: "Core", Price: pounds(7990), Credits: 240},
			{ProductId: "maker", Size: "year", Kind: "membership", Name: "Maker", Price: pounds(5990), Credits: 300},
			{ProductId: "ten", Kind: "credit_pack", Name: "Ten credits", Price: pounds(599), Credits: 10},
			{ProductId: "tee", Size: "S", Kind: "product", Name: "Tee", Price: pounds(2800)},
			{ProductId: "tee", Size: "M", Kind: "product", Name: "Tee", Price: pounds(2800), SoldOut: true},
			{ProductId: "socks", Kind: "product", Name: "Socks", Price: pounds(900), SoldOut: true},
		},
	}
}

func TestTheCatalogueIsWhatEditorsPublishedAndNothingElse(t *testing.T) {
	t.Parallel()
	c, err := content.New(answering{shop: shop()}).Catalogue(t.Context())
	require.NoError(t, err)
	require.Equal(t, []plans.Plan{
		{ID: "trial", Name: "Trial", Kind: plans.Trial, Order: 1, TrialDays: 7, InvitedTrialDays: 14, TrialCredits: 8},
		{
			ID: "core", Name: "Core", Kind: plans.Member, Order: 2, Badge: "Loved", Description: "Calm, daily.", Features: []string{"Library"},
			Entitlements: []string{"library"},
		},
		{ID: "maker", Name: "Maker", Kind: plans.Generate, Order: 3},
		{ID: "teams", Name: "Teams", Kind: plans.Enquiry, Order: 4},
	}, c.Plans)
	item := func(id, size string, kind itemkind.Kind, name string, amount, credits int64) sales.Item {
		return sales.Item{ProductID: id, Size: size, Kind: kind, Name: name, Amount: amount, Currency: "gbp", Credits: credits, Listed: true}
	}
	tee, socks := item("tee", "", itemkind.Product, "Tee", 2800, 0), item("socks", "", itemkind.Product, "Socks", 900, 0)
	tee.Sizes, tee.SoldOut, socks.NoneLeft = []string{"S", "M"}, []string{"M"}, true
	require.Equal(t, []sales.Item{
		item("core", "month", itemkind.Membership, "Core", 799, 20), item("core", "year", itemkind.Membership, "Core", 7990, 240),
		item("maker", "year", itemkind.Membership, "Maker", 5990, 300), item("ten", "", itemkind.CreditPack, "Ten credits", 599, 10), tee, socks,
	}, c.Items)
}

// What is refused is not taken over: what was sold before is sold on.
func TestACatalogueThatCannotBeIsRefusedWhole(t *testing.T) {
	t.Parallel()
	for fault, spoil := range map[string]func(*contentv1.GetShopResponse){
		"nothing at all":           func(s *contentv1.GetShopResponse) { proto.Reset(s) },
		"no trial":                 func(s *contentv1.GetShopResponse) { s.Plans = s.GetPlans()[1:] },
		"two trials":               func(s *contentv1.GetShopResponse) { s.GetPlans()[3].Kind = "trial" },
		"a kind of tomorrow":       func(s *contentv1.GetShopResponse) { s.GetPlans()[1].Kind = "lifetime" },
		"an item of tomorrow":      func(s *contentv1.GetShopResponse) { s.GetItems()[3].Kind = "voucher" },
		"a plan for nothing":       func(s *contentv1.GetShopResponse) { s.GetItems()[0].Price.Value = 0 },
		"a period without a price": func(s *contentv1.GetShopResponse) { s.GetItems()[1].Price = nil },
		"a price below nothing":    func(s *contentv1.GetShopResponse) { s.GetItems()[3].Price.Value = -599 },
		"a dearer size":            func(s *contentv1.GetShopResponse) { s.GetItems()[5].Price.Value = 2900 },
		"no currency":              func(s *contentv1.GetShopResponse) { s.GetItems()[4].Price.Currency = "" },
		"credits taken":            func(s *contentv1.GetShopResponse) { s.GetItems()[3].Credits = -1 },
		"no name":                  func(s *contentv1.GetShopResponse) { s.GetItems()[3].Name = "" },
		"no id":                    func(s *contentv1.GetShopResponse) { s.GetItems()[6].ProductId = "" },
		"two of one id":            func(s *contentv1.GetShopResponse) { s.GetItems()[4].ProductId = s.GetItems()[3].GetProductId() },
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			sold := shop()
			spoil(sold)
			_, err := content.New(answering{shop: sold}).Catalogue(t.Context())
			require.ErrorContains(t, err, "the catalogue cannot be sold by")
		})
	}
}

func TestAContentServiceThatIsAwayIsNoEmptyCatalogue(t *testing.T) {
	t.Parallel()
	away := connect.NewError(connect.CodeUnavailable, context.DeadlineExceeded)
	_, err := content.New(answering{err: away}).Catalogue(t.Context())
	require.ErrorIs(t, err, away)
}
