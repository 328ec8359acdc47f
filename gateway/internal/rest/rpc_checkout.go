package rest

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
	"serein.app/services/platform/errs"
)

const (
	modeSubscription = "subscription"
	linesField       = "lineItems"
)

var (
	errPrice   = errs.New(errs.Invalid, errorsv1.Reason_REASON_ITEM_NOT_SOLD, "There is no such price, or it can’t be bought at the moment.").On(linesField)
	errNoLines = errs.New(errs.Invalid, errorsv1.Reason_REASON_CHECKOUT_EMPTY, "There is nothing to pay for: name a price in lineItems.").On(linesField)
	errMode    = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT,
		`Memberships are bought by the mode "subscription", everything else by "payment".`).On("mode")
)

// Checkout makes one order of the prices that the request names, each once, and opens the payment provider's hosted checkout.
// Whatever else the request says of prices, counts, credits and names is not used. Errors: USER_NOT_FOUND for another member;
// CHECKOUT_EMPTY; ITEM_NOT_SOLD for a price that there is not; INVALID_ARGUMENT for a product that comes in
// sizes where none is named; those of billing's StartCheckout.
func (a *API) Checkout(ctx context.Context, req *restv1.CheckoutRequest) (*restv1.CheckoutResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	if err := ownOnly(ctx, req.GetUid(), req.GetMetadata().GetUid()); err != nil {
		return nil, err
	}
	key, err := keyOrNew(ctx)
	if err != nil {
		return nil, err
	}
	wanted := namedPrices(req)
	if len(wanted) == 0 {
		return nil, errNoLines
	}
	if err := a.Checkouts.Allow(ctx, callerOf(ctx).key()); err != nil {
		return nil, err
	}
	res, err := a.startCheckout(ctx, req, key, wanted)
	a.Checkouts.GiveBack(ctx, callerOf(ctx).key(), err)
	return res, err
}

// named is a price that a request names, with the size of what comes in sizes.
type named struct{ price, size string }

// namedPrices are the prices that the request names, each once in each size. The specification calls them price in one mode and priceId in the
// other; where a line has both, that of the mode counts. For a payment planId names one where no line does.
func namedPrices(req *restv1.CheckoutRequest) []named {
	var all []named
	for _, line := range req.GetLineItems() {
		id := cmp.Or(line.GetPriceId(), line.GetPrice())
		if req.GetMode() == modeSubscription {
			id = cmp.Or(line.GetPrice(), line.GetPriceId())
		}
		if one := (named{id, line.GetSize()}); !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	if len(all) == 0 && req.GetMode() != modeSubscription && req.GetPlanId() != "" {
		all = append(all, named{price: req.GetPlanId()})
	}
	return all
}

func (a *API) startCheckout(ctx context.Context, req *restv1.CheckoutRequest, key string, wanted []named) (*restv1.CheckoutResponse, error) {
	var items []*billingv1.CheckoutItem
	var person *identityv1.User
	both, asking := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		items, err = a.toBuy(asking, req.GetMode(), wanted)
		return err
	})
	both.Go(func() (err error) {
		person, err = a.user(asking, callerOf(ctx).uid)
		if errs.KindOf(err) == errs.NotFound {
			err = nil // a member of another provider
		}
		return err
	})
	if err := both.Wait(); err != nil {
		return nil, err
	}
	res, err := a.Clients.StartCheckout(ctx, &billingv1.StartCheckoutRequest{
		IdempotencyKey: key, Items: items, Email: person.GetEmail(), GivenName: person.GetGivenName(), FamilyName: person.GetFamilyName(),
	})
	if err != nil {
		return nil, renamed(err)
	}
	return &restv1.CheckoutResponse{SessionId: res.GetSessionId(), Url: res.GetUrl()}, nil
}

// toBuy are the items of those prices.
func (a *API) toBuy(ctx context.Context, mode string, wanted []named) ([]*billingv1.CheckoutItem, error) {
	prices, err := a.Prices(ctx)
	if err != nil {
		return nil, errs.ErrUnavailable.Because(err)
	}
	var items []*billingv1.CheckoutItem
	for _, one := range wanted {
		i := slices.IndexFunc(prices, func(p *billingv1.ItemPrice) bool { return isNamed(p, one.price) })
		if i < 0 || !prices[i].GetPurchasable() {
			return nil, errPrice
		}
		if (prices[i].GetKind() == billingv1.ItemKind_ITEM_KIND_MEMBERSHIP) != (mode == modeSubscription) {
			return nil, errMode
		}
		items = append(items, &billingv1.CheckoutItem{ProductId: prices[i].GetProductId(), Size: cmp.Or(prices[i].GetSize(), one.size), Quantity: 1})
	}
	return items, nil
}

// isNamed says whether a request means that price: by the provider's id, or by ours, which is the same on every machine.
func isNamed(p *billingv1.ItemPrice, name string) bool {
	own := p.GetProductId()
	if p.GetSize() != "" {
		own += ":" + p.GetSize()
	}
	return name != "" && (name == p.GetId() || name == own)
}
