package purchases

import (
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/google/uuid"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/e2e/wait"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// goods are what is sold: ids and sizes, with the credits that they bring.
type goods struct{ memberships, packs, products []thing }

type thing struct {
	id, size string
	credits  int64
}

// goods reads the shop as a visitor does.
func (s *storm) goods(ctx context.Context) (g goods, err error) {
	visitor := s.product.NewBrowser()
	err = harness.Eventually(ctx, "the shop", func(ctx context.Context) (bool, error) {
		plans, err := visitor.Shop.GetMemberships(ctx, &webv1.GetMembershipsRequest{})
		if err != nil {
			return false, err
		}
		packs, err := visitor.Shop.GetTopUps(ctx, &webv1.GetTopUpsRequest{})
		if err != nil {
			return false, err
		}
		apparel, err := visitor.Shop.GetApparel(ctx, &webv1.GetApparelRequest{})
		g = goods{onSale(plans), topUps(packs), wares(apparel)}
		return len(g.memberships) > 1 && len(g.packs) > 0 && len(g.products) > 1, err
	})
	return g, err
}

func onSale(plans *webv1.GetMembershipsResponse) (all []thing) {
	for _, p := range plans.GetPlans() {
		for period, offer := range map[string]*webv1.MembershipOffer{"month": p.GetMonthly(), "year": p.GetYearly()} {
			if offer.GetAction() == webv1.CardAction_CARD_ACTION_ADD {
				all = append(all, thing{p.GetId(), period, offer.GetCredits()})
			}
		}
	}
	return all
}

func topUps(packs *webv1.GetTopUpsResponse) (all []thing) {
	for _, p := range packs.GetTopUps() {
		if p.GetPurchasable() {
			all = append(all, thing{id: p.GetId(), credits: p.GetCredits()})
		}
	}
	return all
}

func wares(apparel *webv1.GetApparelResponse) (all []thing) {
	for _, p := range apparel.GetProducts() {
		if !p.GetPurchasable() || p.GetSoldOut() {
			continue
		}
		if len(p.GetSizes()) == 0 {
			all = append(all, thing{id: p.GetId()})
		}
		for _, size := range p.GetSizes() {
			if !size.GetSoldOut() {
				all = append(all, thing{id: p.GetId(), size: size.GetName()})
			}
		}
	}
	return all
}

// buyer is a member who buys one thing after another, and presses again whatever fails.
type buyer struct {
	*harness.Member

	storm *storm
	shop  goods
}

// purchaseTime bounds one purchase with the settling of the one before.
const purchaseTime = 12 * time.Minute

// wants is what the n-th purchase is of: a membership first, since without it no credits are sold.
func (b *buyer) wants(n int) []thing {
	at := func(all []thing, n int) thing { return all[n%len(all)] }
	switch {
	case n == 0:
		return []thing{at(b.shop.memberships, int(b.UID[len(b.UID)-1]))}
	case n%3 == 1:
		return []thing{at(b.shop.packs, n)}
	case n%3 == 2:
		return []thing{at(b.shop.products, n), at(b.shop.products, n+1)}
	}
	return []thing{at(b.shop.packs, n), at(b.shop.products, n)}
}

func (b *buyer) buys(ctx context.Context, n int) error {
	ctx, cancel := context.WithTimeout(ctx, purchaseTime)
	defer cancel()
	wanted := b.wants(n)
	var credits int64
	for _, w := range wanted {
		if err := b.adds(ctx, w); err != nil {
			return err
		}
		credits += w.credits
	}
	if n%7 == 3 { // the page is closed, and later there is another checkout
		if _, err := b.checksOut(ctx, len(wanted)); err != nil {
			return err
		}
		b.storm.count(func(r *Report) { r.Abandoned++ })
	}
	begun, err := b.checksOut(ctx, len(wanted))
	if err != nil {
		return err
	}
	if err := b.pays(ctx, begun, n, credits); err != nil {
		return err
	}
	if n%10 < b.storm.Returning {
		b.storm.count(func(r *Report) { r.CameBack++ })
		if err := b.comesBack(ctx, begun.GetOrderId()); err != nil {
			return err
		}
	}
	return b.seesBasketEmpty(ctx)
}

// adds puts a thing into the basket, once, however often it is pressed.
func (b *buyer) adds(ctx context.Context, w thing) error {
	request := &webv1.AddToBasketRequest{RequestId: uuid.NewString(), ProductId: w.id, Size: w.size}
	return harness.Eventually(ctx, "adding "+w.id, func(ctx context.Context) (bool, error) {
		_, err := b.Basket.AddToBasket(ctx, request)
		return err == nil, b.final(ctx, err, "ITEM_NOT_SOLD", "ITEM_SOLD_OUT", "SIZE_REQUIRED", "SIZE_UNKNOWN", "BASKET_FULL", "TOP_UP_NOT_ALLOWED")
	})
}

// checksOut asks with one key until it has an address to pay at.
func (b *buyer) checksOut(ctx context.Context, lines int) (begun *webv1.CheckoutResponse, err error) {
	request := &webv1.CheckoutRequest{RequestId: uuid.NewString()}
	err = harness.Eventually(ctx, "the checkout", func(ctx context.Context) (bool, error) {
		has, err := b.Basket.GetBasket(ctx, &webv1.GetBasketRequest{})
		if err != nil {
			return false, b.final(ctx, err)
		}
		if n := len(has.GetBasket().GetLines()); n != lines {
			return false, wait.FinalError{Err: fmt.Errorf("%d lines are in the basket, not %d", n, lines)}
		}
		request.Version = has.GetBasket().GetVersion()
		begun, err = b.Basket.Checkout(ctx, request)
		return err == nil && begun.GetUrl() != "", b.final(ctx, err, "CHECKOUT_EMPTY", "ITEM_NOT_SOLD", "ITEM_SOLD_OUT", "MEMBERSHIP_CURRENT", "TOP_UP_NOT_ALLOWED")
	})
	return begun, err
}

// pays at the provider's page, some of them with a card that is declined first.
func (b *buyer) pays(ctx context.Context, begun *webv1.CheckoutResponse, n int, credits int64) error {
	session := path.Base(begun.GetUrl())
	if n%5 == 4 {
		if err := b.storm.control(ctx, "pay", map[string]any{"session": session, "card": "4000000000000002"}, nil); err == nil {
			return errors.New("a card that is declined has paid")
		}
		b.storm.count(func(r *Report) { r.Declined++ })
	}
	if err := b.storm.control(ctx, "pay", map[string]any{"session": session, "card": "4242424242424242"}, nil); err != nil {
		return fmt.Errorf("pay %s of order %s: %w", session, begun.GetOrderId(), err)
	}
	b.storm.mu.Lock()
	defer b.storm.mu.Unlock()
	b.storm.report.Paid++
	b.storm.report.Credits += credits
	b.storm.bought[b.UID] += credits
	b.storm.paid[session] = credits
	return nil
}

// comesBack looks at the page after the checkout until it says that the order is complete.
func (b *buyer) comesBack(ctx context.Context, order string) error {
	return harness.Eventually(ctx, "the order "+order, func(ctx context.Context) (bool, error) {
		found, err := b.Orders.GetOrder(ctx, &webv1.GetOrderRequest{OrderId: order})
		return found.GetOrder().GetState() == webv1.OrderState_ORDER_STATE_COMPLETED, b.final(ctx, err, "ORDER_NOT_FOUND")
	})
}

func (b *buyer) seesBasketEmpty(ctx context.Context) error {
	return harness.Eventually(ctx, "the empty basket", func(ctx context.Context) (bool, error) {
		has, err := b.Basket.GetBasket(ctx, &webv1.GetBasketRequest{})
		return err == nil && len(has.GetBasket().GetLines())+len(has.GetBasket().GetSaved()) == 0, b.final(ctx, err)
	})
}

// final makes an error a wait.FinalError where its reason is one of those.
func (b *buyer) final(ctx context.Context, err error, reasons ...string) error {
	reason := harness.RefusalOf(err).Reason
	if reason == "SIGN_IN_REQUIRED" {
		_ = b.SignIn(ctx) // it is tried again with the next round
	}
	for _, r := range reasons {
		if reason == r {
			return wait.FinalError{Err: err}
		}
	}
	return err
}
