package rest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
)

// ordersPage and ordersPages bound what was bought: the last 500 orders.
const ordersPage, ordersPages = 100, 5

// partTime bounds what one service may take for its part of a record.
var partTime = deadline.Of(3 * time.Second)

// record joins a member's record. Without identity there is none; a part whose service is away is left out and named.
func (a *API) record(ctx context.Context, uid string) (*restv1.User, error) {
	r := &joined{user: &restv1.User{}}
	all, ctx := errgroup.WithContext(ctx)
	all.Go(func() error {
		person, err := a.user(ctx, uid)
		if err == nil {
			joinProfile(r.user, uid, person)
		}
		return err
	})
	for _, part := range []struct {
		names []string
		join  func(context.Context, *restv1.User) error
	}{
		{[]string{"basket"}, a.joinBasket},
		{[]string{"subscription"}, a.joinSubscription},
		{[]string{"purchasedItems"}, a.joinPurchases},
		{[]string{"savedItems", "favourites"}, a.joinKept},
	} {
		all.Go(func() error { return r.join(ctx, part.names, part.join) })
	}
	err := all.Wait()
	slices.Sort(r.user.Away)
	return r.user, err
}

// joined is a record that several parts are written into; no two parts write the same field.
type joined struct {
	mu   sync.Mutex
	user *restv1.User
}

func (r *joined) join(ctx context.Context, names []string, join func(context.Context, *restv1.User) error) error {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	err := join(ctx, r.user)
	switch errs.KindOf(err) { //nolint:exhaustive // all else is the caller's fault or ours
	case errs.Unavailable, errs.DeadlineExceeded:
		r.mu.Lock()
		defer r.mu.Unlock()
		r.user.Away = append(r.user.Away, names...)
		return nil
	}
	return err
}

// without notes a part that an answer goes without. Once the context is cancelled nothing is noted: another part has failed the answer, or its
// caller has gone.
func (a *API) without(ctx context.Context, part string, err error) {
	if !errors.Is(ctx.Err(), context.Canceled) {
		a.log.WarnContext(ctx, "answered without a part", "part", part, "request_id", requestID(ctx), "error", err)
	}
}

func joinProfile(u *restv1.User, uid string, from *identityv1.User) {
	u.Uid, u.FirebaseId, u.CreatedBy, u.Email = uid, uid, uid, from.GetEmail()
	u.FirstName, u.SurName, u.Name = from.GetGivenName(), from.GetFamilyName(), strings.TrimSpace(from.GetGivenName()+" "+from.GetFamilyName())
	u.ReferralCode, u.IsGod, u.Consents = from.GetReferralCode(), from.GetAdmin(), consents(from.GetConsents())
}

func consents(in []*identityv1.Consent) *restv1.Consents {
	given := map[identityv1.ConsentKind]bool{}
	for _, c := range in {
		given[c.GetKind()] = c.GetGiven()
	}
	return &restv1.Consents{
		Essentials:         given[identityv1.ConsentKind_CONSENT_KIND_ESSENTIALS],
		Analytics:          given[identityv1.ConsentKind_CONSENT_KIND_ANALYTICS],
		Marketing:          given[identityv1.ConsentKind_CONSENT_KIND_MARKETING],
		TermsAndConditions: given[identityv1.ConsentKind_CONSENT_KIND_TERMS],
	}
}

func (a *API) joinSubscription(ctx context.Context, u *restv1.User) error {
	account, err := a.Clients.Accounts.GetAccount(ctx, &billingv1.GetAccountRequest{})
	if err != nil {
		return err
	}
	s := subscription(account.GetSubscription(), account.GetBalance())
	a.describe(ctx, s)
	u.Subscription = s
	return nil
}

// joinPurchases has every item of every order that was paid, the last first.
func (a *API) joinPurchases(ctx context.Context, u *restv1.User) error {
	var bought []*restv1.PurchasedItem
	token := ""
	for range ordersPages {
		res, err := a.Clients.Orders.ListOrders(ctx, &billingv1.ListOrdersRequest{PageSize: ordersPage, PageToken: token})
		if err != nil {
			return err
		}
		for _, o := range res.GetOrders() {
			for _, item := range o.GetItems() {
				bought = append(bought, &restv1.PurchasedItem{
					Name: item.GetName(), Price: pounds(item.GetUnitAmount() * int64(item.GetQuantity())), PurchasedDate: o.GetCompletedAt(),
				})
			}
		}
		if token = res.GetNextPageToken(); token == "" {
			break
		}
	}
	u.PurchasedItems = bought
	return nil
}

// joinBasket has what is bought now, as billing sells it: without its prices each line has its product by the id alone.
func (a *API) joinBasket(ctx context.Context, u *restv1.User) error {
	stored, err := a.Clients.Baskets.GetBasket(ctx, &basketv1.GetBasketRequest{})
	if err != nil {
		return err
	}
	prices, err := a.Prices(ctx)
	if err != nil {
		a.without(ctx, "the prices of the basket", err)
	}
	for _, l := range stored.GetBasket().GetLines() {
		if l.GetSavedAt() != nil {
			continue
		}
		u.Basket = append(u.Basket, &restv1.BasketLine{
			Product:  product(l, prices),
			Quantity: l.GetQuantity(), Size: l.GetSize(), SavedAt: l.GetAddedAt(), LineItemId: l.GetId(),
		})
	}
	return nil
}

// product of a line. Sizes of a thing cost the same; those of a membership are its periods.
func product(l *basketv1.BasketLine, prices []*billingv1.ItemPrice) *restv1.Product {
	out := &restv1.Product{Id: l.GetProductId(), Size: l.GetSize()}
	for _, p := range prices {
		if p.GetProductId() != l.GetProductId() || (p.GetSize() != "" && p.GetSize() != l.GetSize()) {
			continue
		}
		out.Name, out.Title, out.Price, out.PriceId = p.GetName(), p.GetName(), pounds(p.GetAmount()), p.GetId()
		out.Type = "payment"
		switch p.GetKind() { //nolint:exhaustive // things have nothing besides
		case billingv1.ItemKind_ITEM_KIND_MEMBERSHIP:
			out.Type, out.MedCredits = modeSubscription, int32(p.GetCredits())
		case billingv1.ItemKind_ITEM_KIND_CREDIT_PACK:
			out.Value = int32(p.GetCredits())
		}
	}
	return out
}
