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
	item := func(kind, id, size, name string, value, credits int64) *contentv1.ShopItem {
		return &contentv1.ShopItem{ProductId: id, Size: size, Kind: kind, Name: name, Price: gbp(value), Credits: credits}
	}
	large, socks := item("product", "tee", "L", "Leaning Pine tee", 2400, 0), item("product", "socks", "", "Rain socks", 900, 0)
	large.SoldOut, socks.SoldOut = true, true
	return &contentv1.GetShopResponse{
		Plans: []*contentv1.ShopPlan{
			{
				Id: "free-trial", Name: "Free trial", Kind: "trial", Order: 10, Features: []string{"All of it"}, Entitlements: member[:4],
				TrialDays: 7, InvitedTrialDays: 14, TrialCredits: 8,
			},
			{Id: "serein-core", Name: "Core", Kind: "member", Order: 20, Features: []string{"All of it"}, Entitlements: member},
			{
				Id: "serein-generate", Name: "Generate", Kind: "generate", Order: 30, Features: []string{"Your own"},
				Entitlements: []string{"generator", "journey", "top_up"},
			},
			{Id: "bespoke-journey", Name: "Bespoke Journey", Kind: "enquiry", Order: 40},
		},
		Items: []*contentv1.ShopItem{
			item("membership", "serein-core", "month", "Core", 799, 20), item("membership", "serein-core", "year", "Core", 7990, 240),
			item("membership", "serein-generate", "month", "Generate", 599, 30), item("membership", "serein-generate", "year", "Generate", 5990, 360),
			item("credit_pack", "pack-20", "", "20 credits", 599, 20),
			item("product", "tee", "S", "Leaning Pine tee", 2400, 0), item("product", "tee", "M", "Leaning Pine tee", 2400, 0), large,
			item("product", "tote", "", "Tote", 1200, 0), socks,
		},
	}
}
