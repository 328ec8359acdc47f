package gateway

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"google.golang.org/protobuf/types/known/timestamppb"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

// market is what is sold and what was bought, behind content and billing.
type market struct {
	shop   *contentv1.GetShopResponse
	prices *billingv1.ListPricesResponse
	// orders by owner, the newest first, and what was asked for by idempotency key.
	orders  map[string][]*billingv1.Order
	started map[string]*billingv1.StartCheckoutRequest
	// webhooks as billing kept them.
	webhooks []*billingv1.ReceiveWebhookRequest
	baskets  map[string]*basketv1.Basket
	added    map[string]bool // request ids of additions
	merges   int
	checked  []*basketv1.CheckOutRequest
	bought   []*basketv1.PurchasedItem
}

func newMarket() market {
	return market{
		shop: aShop(), prices: itsPrices(), orders: map[string][]*billingv1.Order{}, started: map[string]*billingv1.StartCheckoutRequest{},
		baskets: map[string]*basketv1.Basket{}, added: map[string]bool{},
	}
}

func gbp(value int64) *contentv1.Amount { return &contentv1.Amount{Value: value, Currency: "gbp"} }

func item(kind, id, size, name string, value, credits int64) *contentv1.ShopItem {
	return &contentv1.ShopItem{ProductId: id, Size: size, Kind: kind, Name: name, Price: gbp(value), Credits: credits}
}

const picture = "assets/0a/tee.webp"

// aShop has one of each kind. Ids and names say nothing about what they are.
func aShop() *contentv1.GetShopResponse {
	large, wrap := item("product", "tee", "L", "Pine tee", 2800, 0), item("product", "wrap", "", "Wrap", 4200, 0)
	large.SoldOut, wrap.SoldOut = true, true
	return &contentv1.GetShopResponse{
		Plans: []*contentv1.ShopPlan{
			{Id: "free-trial", Name: "Free trial", Kind: "trial", TrialDays: 7, InvitedTrialDays: 14, TrialCredits: 8},
			{Id: "serein-core", Name: "Core", Kind: "member", Strapline: "For an evening.", Features: []string{"Everything"}},
			{Id: "serein-premium", Name: "Premium", Kind: "member", Badge: "Best Value"},
			{Id: "generate", Name: "Generate", Kind: "generate"},
			{Id: "later", Name: "Later", Kind: "member"},
			{Id: "together", Name: "Together", Kind: "enquiry", Badge: "By letter"},
		},
		Packs: []*contentv1.ShopPack{{Id: "credits-20", Name: "20 credits"}, {Id: "credits-40", Name: "40 credits", Saving: 8}},
		Products: []*contentv1.ShopProduct{
			{Id: "tee", Slug: "tee", Name: "Pine tee", Picture: picture, Alt: "A tee."}, {Id: "tote", Slug: "tote", Name: "Tote"}, {Id: "wrap", Slug: "wrap", Name: "Wrap"},
		},
		Items: []*contentv1.ShopItem{
			item("membership", "serein-core", "month", "Core", 799, 20), item("membership", "serein-core", "year", "Core", 7990, 240),
			item("membership", "serein-premium", "month", "Premium", 1299, 60), item("membership", "serein-premium", "year", "Premium", 12990, 720),
			item("membership", "generate", "month", "Generate", 599, 30),
			item("credit_pack", "credits-20", "", "20 credits", 599, 20), item("credit_pack", "credits-40", "", "40 credits", 1099, 40),
			item("product", "tee", "M", "Pine tee", 2800, 0), large, item("product", "tote", "", "Tote", 1600, 0), wrap,
		},
		Memberships: &contentv1.MembershipsText{
			Title: "A place to come back to", Subtitle: "Choose.", Billing: "Two months free", QuestionsTitle: "Asked",
			Questions: []*contentv1.ShopQuestion{{Question: "Why?", Answer: "Because."}},
		},
		Apparel: &contentv1.ApparelText{Title: "Calm things", Description: "To wear.", Notes: []*contentv1.ShopNote{{Title: "Post", Text: "Slow."}}},
	}
}

// itsKinds are billing's kinds, by content's words for them.
var itsKinds = map[string]billingv1.ItemKind{
	"membership": billingv1.ItemKind_ITEM_KIND_MEMBERSHIP, "credit_pack": billingv1.ItemKind_ITEM_KIND_CREDIT_PACK, "product": billingv1.ItemKind_ITEM_KIND_PRODUCT,
}

// itsPrices are billing's of all that, each purchasable, and one for all sizes of a product.
func itsPrices() *billingv1.ListPricesResponse {
	out := &billingv1.ListPricesResponse{}
	for _, i := range aShop().GetItems() {
		price := &billingv1.ItemPrice{
			Id: "price_" + strconv.Itoa(len(out.GetPrices())), ProductId: i.GetProductId(), Size: i.GetSize(), Name: i.GetName(), Kind: itsKinds[i.GetKind()],
			Amount: i.GetPrice().GetValue(), Currency: "gbp", Credits: i.GetCredits(), Purchasable: true,
		}
		if price.GetKind() == billingv1.ItemKind_ITEM_KIND_PRODUCT {
			price.Size = ""
		}
		if !slices.ContainsFunc(out.GetPrices(), func(p *billingv1.ItemPrice) bool {
			return p.GetProductId() == price.GetProductId() && p.GetSize() == price.GetSize()
		}) {
			out.Prices = append(out.Prices, price)
		}
	}
	return out
}

// price changes billing's price of an item.
func (s *services) price(id, size string, with func(*billingv1.ItemPrice)) *billingv1.ItemPrice {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.prices.GetPrices() {
		if p.GetProductId() == id && p.GetSize() == size {
			with(p)
			return p
		}
	}
	panic("no price of " + id + size)
}

// stock changes what content shows.
func (s *services) stock(with func(*contentv1.GetShopResponse)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	with(s.shop)
}

// shopFake is content's part, salesFake billing's.
type (
	shopFake  struct{ *services }
	salesFake struct{ *services }
)

// salesPolicy is what billing lets the gateway ask beside the rest.
func salesPolicy(policy auth.Policy) auth.Policy {
	open, member := auth.Rule{Services: []string{"gateway"}}, auth.Rule{Services: []string{"gateway"}, Member: true}
	policy[billingv1connect.PriceServiceListPricesProcedure] = open
	policy[billingv1connect.WebhookServiceReceiveWebhookProcedure] = open
	for _, procedure := range []string{
		billingv1connect.CheckoutServiceStartCheckoutProcedure, billingv1connect.CheckoutServiceCompleteCheckoutProcedure, billingv1connect.CheckoutServiceOpenPortalProcedure,
		billingv1connect.OrderServiceGetReceiptProcedure,
	} {
		policy[procedure] = member
	}
	policy[billingv1connect.OrderServiceListOrdersProcedure] = auth.Rule{Services: []string{"gateway"}, Member: true, Delegated: true}
	return policy
}

func (f salesFake) mount(mux *http.ServeMux, r *rpc.Server) {
	mux.Handle(billingv1connect.NewPriceServiceHandler(f, r.Options()...))
	mux.Handle(billingv1connect.NewCheckoutServiceHandler(f, r.Options()...))
	mux.Handle(billingv1connect.NewOrderServiceHandler(f, r.Options()...))
	mux.Handle(billingv1connect.NewWebhookServiceHandler(f, r.Options()...))
}

func (f shopFake) mount(mux *http.ServeMux, r *rpc.Server) {
	mux.Handle(contentv1connect.NewShopServiceHandler(f, r.Options()...))
}

func (f shopFake) GetShop(ctx context.Context, _ *contentv1.GetShopRequest) (*contentv1.GetShopResponse, error) {
	err := f.fault(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.shop, err
}

func (f salesFake) ListPrices(ctx context.Context, _ *billingv1.ListPricesRequest) (*billingv1.ListPricesResponse, error) {
	err := f.fault(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.prices, err
}

var (
	errNoOrder    = errs.New(errs.NotFound, errorsv1.Reason_REASON_ORDER_NOT_FOUND, "There is no such order.")
	errNoCustomer = errs.New(errs.NotFound, errorsv1.Reason_REASON_CUSTOMER_NOT_FOUND, "There is no card yet.")
	errForged     = errs.New(errs.Invalid, errorsv1.Reason_REASON_WEBHOOK_INVALID, "SECRET: the signature does not hold.")
)

const (
	anOrder    = "0192f0c1-0000-7000-8000-0000000000d1"
	payHere    = "https://pay.example/c/"
	itsSession = "cs_test_1"
)

func (f salesFake) StartCheckout(ctx context.Context, req *billingv1.StartCheckoutRequest) (*billingv1.StartCheckoutResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.started[auth.Member(ctx)+req.GetIdempotencyKey()] = req
	return &billingv1.StartCheckoutResponse{OrderId: anOrder, SessionId: itsSession, Url: payHere + anOrder}, nil
}

// ordered gives a member an order.
func (s *services) ordered(uid string, o *billingv1.Order) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orders[uid] = append([]*billingv1.Order{o}, s.orders[uid]...)
}

func (f salesFake) order(ctx context.Context, id string) (*billingv1.Order, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.orders[auth.Member(ctx)], func(o *billingv1.Order) bool { return o.GetId() == id })
	if i < 0 {
		return nil, errNoOrder
	}
	return f.orders[auth.Member(ctx)][i], nil
}

func (f salesFake) CompleteCheckout(ctx context.Context, req *billingv1.CompleteCheckoutRequest) (*billingv1.CompleteCheckoutResponse, error) {
	o, err := f.order(ctx, req.GetOrderId())
	return &billingv1.CompleteCheckoutResponse{Order: o}, err
}

func (f salesFake) GetReceipt(ctx context.Context, req *billingv1.GetReceiptRequest) (*billingv1.GetReceiptResponse, error) {
	o, err := f.order(ctx, req.GetOrderId())
	pdf := fmt.Appendf(nil, "%%PDF-1.7 of %s for %s %s, %s", o.GetNumber(), req.GetGivenName(), req.GetFamilyName(), req.GetEmail())
	return &billingv1.GetReceiptResponse{Pdf: pdf, Number: o.GetNumber()}, err
}

func (f salesFake) OpenPortal(ctx context.Context, _ *billingv1.OpenPortalRequest) (*billingv1.OpenPortalResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.orders[auth.Member(ctx)]) == 0 {
		return nil, errNoCustomer
	}
	return &billingv1.OpenPortalResponse{Url: "https://pay.example/portal"}, nil
}

func (f salesFake) ListOrders(ctx context.Context, req *billingv1.ListOrdersRequest) (*billingv1.ListOrdersResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.orders[auth.Member(ctx)]
	from, _ := strconv.Atoi(req.GetPageToken())
	size := int(req.GetPageSize())
	if size == 0 {
		size = 20
	}
	out := &billingv1.ListOrdersResponse{Orders: all[from:min(from+size, len(all))]}
	if from+size < len(all) {
		out.NextPageToken = strconv.Itoa(from + size)
	}
	return out, nil
}

func (f salesFake) ReceiveWebhook(ctx context.Context, req *billingv1.ReceiveWebhookRequest) (*billingv1.ReceiveWebhookResponse, error) {
	if err := f.fault(ctx); err != nil {
		return nil, err
	}
	if req.GetSignature() == "forged" {
		return nil, errForged
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.webhooks = append(f.webhooks, req)
	return &billingv1.ReceiveWebhookResponse{}, nil
}

// paid is an order of everything that an order can have.
func paid() *billingv1.Order {
	return &billingv1.Order{
		Id: anOrder, Number: "S-10023", State: billingv1.OrderState_ORDER_STATE_COMPLETED, CreatedAt: timestamppb.New(createdAt), CompletedAt: timestamppb.New(createdAt),
		Items: []*billingv1.OrderedItem{{ProductId: "tee", Name: "Pine tee", Size: "M", Quantity: 2, UnitAmount: 2800, Kind: billingv1.ItemKind_ITEM_KIND_PRODUCT}},
		Total: 5950, Vat: 992, Delivery: 350, Refunded: 100, Currency: "gbp", VatPercent: 20,
		Address: &billingv1.DeliveryAddress{Name: "Ada Lovelace", Lines: []string{"1 Quiet Lane", ""}, City: "London", PostalCode: "N1 1AA", Country: "GB"},
	}
}
