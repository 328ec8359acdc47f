package basket

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	handlers "serein.app/services/basket/internal/rpc"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/rpc"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
	"serein.app/services/testkit"
	"serein.app/services/testkit/natstest"
)

// harness is the whole service on its own database, with a content service that sells what the test says.
type harness struct {
	testkit.DB
	shop   *fakeShop
	broker *natstest.Server // nil where the test needs none
	url    string
	ahead  atomic.Int64 // of the clock, in nanoseconds
}

// start runs the service without a broker: events wait in the outbox.
func start(tb testing.TB) *harness {
	tb.Helper()
	return startOn(tb, nil)
}

func startOn(tb testing.TB, broker *natstest.Server) *harness {
	tb.Helper()
	h := &harness{DB: testkit.Postgres(tb, Name, Migrate), shop: newShop(), broker: broker}
	cfg := Config{ContentURL: h.shop.serve(tb), Config: service.Config{
		Server: server.Config{Addr: "127.0.0.1:0"}, Database: postgres.Config{URL: config.URL(h.URL), MaxConns: 8},
		Auth: testkit.Auth(tb, Name), NATSURL: "nats://127.0.0.1:1",
	}}
	if broker != nil {
		cfg.NATSURL = config.URL(broker.URL)
	}
	s, err := service.Start(tb.Context(), Name, cfg.Config, handlers.Policy(), testkit.Telemetry(tb))
	require.NoError(tb, err)
	require.NoError(tb, build(s, cfg, h.now))
	h.url, _ = testkit.Serve(tb, s)
	return h
}

func (h *harness) now() time.Time { return time.Now().Add(time.Duration(h.ahead.Load())) }

// later moves the clock, so that what is sold is asked for again.
func (h *harness) later(d time.Duration) { h.ahead.Add(int64(d)) }

func (h *harness) client(tb testing.TB, as string) basketv1connect.BasketServiceClient {
	tb.Helper()
	c, url, options := testkit.Dialer(tb, as).To(Name, h.url)
	return basketv1connect.NewBasketServiceClient(c, url, options)
}

func (h *harness) count(tb testing.TB, sql string, args ...any) (n int) {
	tb.Helper()
	require.NoError(tb, h.Pool.QueryRow(tb.Context(), sql, args...).Scan(&n))
	return n
}

// fakeShop is what the content service sells.
type fakeShop struct {
	mu    sync.Mutex
	sells *contentv1.GetShopResponse
	away  atomic.Bool
	asked atomic.Int64
}

func gbp(value int64) *contentv1.Amount { return &contentv1.Amount{Value: value, Currency: "gbp"} }

func newShop() *fakeShop {
	item := func(kind, id, size string, value int64) *contentv1.ShopItem {
		return &contentv1.ShopItem{ProductId: id, Size: size, Kind: kind, Price: gbp(value)}
	}
	s := &fakeShop{sells: &contentv1.GetShopResponse{
		Plans: []*contentv1.ShopPlan{
			{Id: "trial", Kind: "trial", TrialDays: 7},
			{Id: "core", Kind: "member"},
			{Id: "premium", Kind: "member"},
			{Id: "generate", Kind: "generate"},
			{Id: "bespoke", Kind: "enquiry"},
		},
		Items: []*contentv1.ShopItem{
			item("membership", "core", "month", 799), item("membership", "core", "year", 7990), item("membership", "premium", "month", 1299),
			item("membership", "generate", "month", 599), item("membership", "generate", "year", 5990),
			item("credit_pack", "credits-20", "", 599), item("credit_pack", "credits-40", "", 1099),
			item("product", "tee", "S", 2800), item("product", "tee", "M", 2800), item("product", "tee", "L", 2800),
			item("product", "socks", "", 900), item("product", "wrap", "", 5000),
		},
	}}
	s.sellOut("tee", "L")
	s.sellOut("wrap", "")
	return s
}

// sizeless is a product without sizes, as content sells it.
func sizeless(id string, value int64) *contentv1.ShopItem {
	return &contentv1.ShopItem{ProductId: id, Kind: "product", Price: gbp(value)}
}

// sellOut: nothing is left of a product in that size.
func (s *fakeShop) sellOut(id, size string) {
	s.each(id, func(i *contentv1.ShopItem) { i.SoldOut = i.GetSoldOut() || i.GetSize() == size })
}

// price of a product in all sizes.
func (s *fakeShop) price(id string, value int64) {
	s.each(id, func(i *contentv1.ShopItem) { i.Price = gbp(value) })
}

// each changes the items of a product.
func (s *fakeShop) each(id string, change func(*contentv1.ShopItem)) {
	s.change(func(sells *contentv1.GetShopResponse) {
		for _, i := range sells.GetItems() {
			if i.GetProductId() == id {
				change(i)
			}
		}
	})
}

// drop: these are sold no more.
func (s *fakeShop) drop(ids ...string) {
	s.change(func(sells *contentv1.GetShopResponse) {
		sells.Items = slices.DeleteFunc(sells.GetItems(), func(i *contentv1.ShopItem) bool { return slices.Contains(ids, i.GetProductId()) })
	})
}

// change what is sold; the service sees it when it asks again.
func (s *fakeShop) change(change func(*contentv1.GetShopResponse)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sells = proto.CloneOf(s.sells)
	change(s.sells)
}

func (s *fakeShop) GetShop(context.Context, *contentv1.GetShopRequest) (*contentv1.GetShopResponse, error) {
	s.asked.Add(1)
	if s.away.Load() {
		return nil, errs.ErrUnavailable
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sells, nil
}

func (s *fakeShop) serve(tb testing.TB) string {
	tb.Helper()
	guard, err := rpc.NewServer(testkit.Verifier(tb, "content"), auth.Policy{
		contentv1connect.ShopServiceGetShopProcedure: {Services: []string{Name}}, // and no actor
	}, testkit.Telemetry(tb))
	require.NoError(tb, err)
	_, handler := contentv1connect.NewShopServiceHandler(s, guard.Options()...)
	listener := httptest.NewServer(handler)
	tb.Cleanup(listener.Close)
	return listener.URL
}

// tab is a page of a browser: it acts on the basket that it saw last.
type tab struct {
	t      testing.TB
	ctx    context.Context
	client basketv1connect.BasketServiceClient
	guest  string
	seen   *basketv1.Basket
}

func (h *harness) guest(tb testing.TB) *tab {
	tb.Helper()
	return &tab{t: tb, ctx: tb.Context(), client: h.client(tb, "gateway"), guest: uuid.NewString(), seen: &basketv1.Basket{}}
}

func (h *harness) member(tb testing.TB, uid string) *tab {
	tb.Helper()
	return &tab{t: tb, ctx: auth.WithMember(tb.Context(), uid), client: h.client(tb, "gateway"), seen: &basketv1.Basket{}}
}

// another page of the same owner, which has seen the same.
func (p *tab) another() *tab {
	other := *p
	return &other
}

func (p *tab) look() *tab {
	p.t.Helper()
	res, err := p.client.GetBasket(p.ctx, &basketv1.GetBasketRequest{GuestId: p.guest})
	require.NoError(p.t, err)
	p.seen = res.GetBasket()
	return p
}

// thing "tee/S" is a product in a size.
func thing(of string) (productID, size string) {
	productID, size, _ = strings.Cut(of, "/")
	return productID, size
}

func (p *tab) request(id, of string, replace bool) (basketv1.Outcome, error) {
	product, size := thing(of)
	res, err := p.client.AddItem(p.ctx, &basketv1.AddItemRequest{GuestId: p.guest, RequestId: id, ProductId: product, Size: size, Replace: replace})
	if err == nil {
		p.seen = res.GetBasket()
	}
	return res.GetOutcome(), err
}

// add says what came of it, "ADDED" for example, or why it was refused.
func (p *tab) add(of string) string {
	p.t.Helper()
	return word(p.request(uuid.NewString(), of, false))
}

func (p *tab) replace(of string) string {
	p.t.Helper()
	return word(p.request(uuid.NewString(), of, true))
}

// line is the id of a line that the page shows.
func (p *tab) line(of string) string {
	product, size := thing(of)
	for _, l := range p.seen.GetLines() {
		if l.GetProductId() == product && l.GetSize() == size {
			return l.GetId()
		}
	}
	return uuid.Nil.String()
}

func (p *tab) set(of string, quantity int32) string {
	p.t.Helper()
	res, err := p.client.SetQuantity(p.ctx, &basketv1.SetQuantityRequest{GuestId: p.guest, Version: p.seen.GetVersion(), LineId: p.line(of), Quantity: quantity})
	return p.came(res.GetBasket(), 0, err)
}

func (p *tab) save(of string, saved bool) string {
	p.t.Helper()
	res, err := p.client.SetSaved(p.ctx, &basketv1.SetSavedRequest{GuestId: p.guest, Version: p.seen.GetVersion(), LineId: p.line(of), Saved: saved})
	return p.came(res.GetBasket(), res.GetOutcome(), err)
}

func (p *tab) clear() string {
	p.t.Helper()
	res, err := p.client.Clear(p.ctx, &basketv1.ClearRequest{GuestId: p.guest, Version: p.seen.GetVersion()})
	return p.came(res.GetBasket(), 0, err)
}

func (p *tab) undo() string {
	p.t.Helper()
	res, err := p.client.Undo(p.ctx, &basketv1.UndoRequest{GuestId: p.guest, Version: p.seen.GetVersion()})
	return p.came(res.GetBasket(), 0, err)
}

func (p *tab) merge(guest string) string {
	p.t.Helper()
	res, err := p.client.Merge(p.ctx, &basketv1.MergeRequest{GuestId: guest})
	if err == nil {
		p.seen = res.GetBasket()
		return fmt.Sprint(res.GetMerged())
	}
	return errs.From(err).Word()
}

func (p *tab) checkOut(order string) string {
	p.t.Helper()
	_, err := p.client.CheckOut(p.ctx, &basketv1.CheckOutRequest{Version: p.seen.GetVersion(), OrderId: order})
	return word(0, err)
}

func (p *tab) came(b *basketv1.Basket, outcome basketv1.Outcome, err error) string {
	if err == nil {
		p.seen = b
	}
	return word(outcome, err)
}

// word is an outcome or a reason; empty for the usual.
func word(outcome basketv1.Outcome, err error) string {
	if err != nil {
		return errs.From(err).Word()
	}
	if outcome == 0 {
		return ""
	}
	return strings.TrimPrefix(outcome.String(), "OUTCOME_")
}

// lines are what the page shows: "tee/S 2", and in brackets what is saved for later.
func (p *tab) lines() (shown []string) {
	for _, l := range p.seen.GetLines() {
		one := fmt.Sprintf("%s %d", strings.TrimSuffix(l.GetProductId()+"/"+l.GetSize(), "/"), l.GetQuantity())
		if l.GetSavedAt() != nil {
			one = "(" + one + ")"
		}
		shown = append(shown, one)
	}
	return shown
}

// shows requires these lines, on the page and from the service when another page asks.
func (p *tab) shows(lines ...string) {
	p.t.Helper()
	require.Equal(p.t, lines, p.lines())
	again := p.another().look()
	require.True(p.t, proto.Equal(p.seen, again.seen), "the page: %v\nthe service: %v", p.seen, again.seen)
}

// prices that the owner saw last, by line.
func (p *tab) prices() map[string]int64 {
	shown := map[string]int64{}
	for _, l := range p.seen.GetLines() {
		shown[strings.TrimSuffix(l.GetProductId()+"/"+l.GetSize(), "/")] = l.GetShownAmount()
	}
	return shown
}
