package billing

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/platform/errs"
)

// shop is the content service, as far as billing asks it.
type shop struct {
	url string
	mu  sync.Mutex
	res *contentv1.GetShopResponse
	err error
}

func openShop(tb testing.TB) *shop {
	tb.Helper()
	s := &shop{res: goods()}
	mux := http.NewServeMux()
	mux.Handle(contentv1connect.NewShopServiceHandler(s))
	server := httptest.NewServer(mux)
	tb.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// GetShop answers what is sold.
func (s *shop) GetShop(context.Context, *contentv1.GetShopRequest) (*contentv1.GetShopResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil, s.err
	}
	return proto.CloneOf(s.res), nil
}

// sell changes what is sold; nil: the shop is away.
func (s *shop) sell(change func(*contentv1.GetShopResponse)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = nil
	if change == nil {
		s.err = errs.ErrUnavailable
		return
	}
	change(s.res)
}

func gbp(value int64) *contentv1.Amount { return &contentv1.Amount{Value: value, Currency: "gbp"} }

func goods() *contentv1.GetShopResponse {
	member := []string{"generator", "library", "articles", "journey", "top_up"}
	period := func(value, credits int64) *contentv1.ShopPeriod {
		return &contentv1.ShopPeriod{Price: gbp(value), Credits: credits}
	}
	return &contentv1.GetShopResponse{
		Plans: []*contentv1.ShopPlan{
			{
				Id: "free-trial", Name: "Free trial", Kind: "trial", Order: 10, Features: []string{"All of it"}, Entitlements: member[:4],
				TrialDays: 7, InvitedTrialDays: 14, TrialCredits: 8,
			},
			{
				Id: "serein-core", Name: "Core", Kind: "member", Order: 20, Features: []string{"All of it"}, Entitlements: member,
				Monthly: period(799, 20), Yearly: period(7990, 240),
			},
			{
				Id: "serein-generate", Name: "Generate", Kind: "generate", Order: 30, Features: []string{"Your own"},
				Entitlements: []string{"generator", "journey", "top_up"}, Monthly: period(599, 30), Yearly: period(5990, 360),
			},
			{Id: "bespoke-journey", Name: "Bespoke Journey", Kind: "enquiry", Order: 40},
		},
		Packs: []*contentv1.ShopPack{{Id: "pack-20", Name: "20 credits", Credits: 20, Price: gbp(599)}},
		Products: []*contentv1.ShopProduct{
			{Id: "tee", Name: "Leaning Pine tee", Price: gbp(2400), Sizes: []*contentv1.ShopSize{{Name: "S"}, {Name: "M"}, {Name: "L", SoldOut: true}}},
			{Id: "tote", Name: "Tote", Price: gbp(1200)},
			{Id: "socks", Name: "Rain socks", Price: gbp(900), SoldOut: true},
		},
	}
}
