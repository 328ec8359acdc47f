package sales

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/platform/itemkind"
	"serein.app/services/platform/rpc"
)

// SessionTime is how long the provider's page stays open.
const SessionTime = time.Hour

// topUp is the entitlement that packs of credits are sold for.
const topUp = "top_up"

// maxQuantity of one line.
const maxQuantity = 99

// RequestedLine is one item that a member asks to buy. It has no price, since the catalogue sets the price.
type RequestedLine struct {
	ProductID, Size string
	Quantity        int32
}

// Request asks for a checkout. Email and the names prefill the provider's page and are not kept.
type Request struct {
	UID                          uuid.UUID
	Key                          string
	Items                        []RequestedLine
	Email, GivenName, FamilyName string
}

// fingerprint of what is asked for.
func (r Request) fingerprint() []byte {
	h := sha256.New()
	for _, w := range r.Items {
		_, _ = fmt.Fprintf(h, "%q %q %d\n", w.ProductID, w.Size, w.Quantity) // a hash does not fail
	}
	return h.Sum(nil)
}

// compose makes the order of what is wanted, by the catalogue's prices.
func compose(r Request, catalogue []Item, a credits.Account, t Terms, now time.Time) (Order, error) {
	o := Order{
		UID: r.UID, Key: r.Key, Request: r.fingerprint(), State: Open, VATPercent: t.VATPercent, Live: t.Live,
		CreatedAt: now, ExpiresAt: now.Add(SessionTime).Truncate(time.Second),
	}
	wanted, err := together(r.Items)
	if err != nil {
		return o, err
	}
	for _, w := range wanted {
		line, currency, err := lineOf(w, catalogue)
		if err != nil {
			return o, err
		}
		if o.Currency == "" {
			o.Currency = currency
		}
		if o.Currency != currency {
			return o, ErrItemNotSold.Because(fmt.Errorf("%s and %s in one order", o.Currency, currency))
		}
		o.Lines = append(o.Lines, line)
		o.Total += line.UnitAmount * int64(line.Quantity)
		o.Ships = o.Ships || line.Kind == itemkind.Product
	}
	if o.Ships {
		o.Delivery = t.DeliveryAmount
		o.Total += o.Delivery
	}
	return o, mayBuy(o, a, now)
}

// together adds up what is named twice.
func together(items []RequestedLine) ([]RequestedLine, error) {
	if len(items) == 0 {
		return nil, ErrCheckoutEmpty
	}
	var all []RequestedLine
	place := map[RequestedLine]int{}
	for _, w := range items {
		thing := RequestedLine{ProductID: w.ProductID, Size: w.Size}
		at, known := place[thing]
		if !known {
			at = len(all)
			place[thing] = at
			all = append(all, thing)
		}
		all[at].Quantity += w.Quantity
		if w.Quantity < 1 || all[at].Quantity > maxQuantity {
			return nil, rpc.ErrInvalid.On("quantity").Because(errors.New("not between 1 and 99"))
		}
	}
	return all, nil
}

// lineOf finds what is wanted in the catalogue.
func lineOf(w RequestedLine, catalogue []Item) (Line, string, error) {
	for _, item := range catalogue {
		if item.ProductID == w.ProductID && w.Size == "" && len(item.Sizes) > 0 {
			return Line{}, "", ErrSizeNeeded
		}
		if item.ProductID != w.ProductID || !item.has(w.Size) {
			continue
		}
		switch {
		case !item.Purchasable():
			return Line{}, "", ErrItemNotSold.Because(fmt.Errorf("%s is not agreed with the provider", item.LookupKey()))
		case item.soldOut(w.Size):
			return Line{}, "", ErrItemSoldOut
		case item.Kind != itemkind.Product && w.Quantity != 1:
			return Line{}, "", rpc.ErrInvalid.On("quantity").Because(errors.New("there is one of it in an order"))
		}
		return Line{
			ProductID: item.ProductID, Size: w.Size, Kind: item.Kind, Name: item.Name, Quantity: w.Quantity,
			UnitAmount: item.Amount, Credits: item.Credits, PriceID: item.PriceID,
		}, item.Currency, nil
	}
	return Line{}, "", ErrItemNotSold.Because(fmt.Errorf("%q in size %q", w.ProductID, w.Size))
}

// mayBuy says whether this member may buy these things together.
func mayBuy(o Order, a credits.Account, now time.Time) error {
	membership, packs := o.Membership() != nil, len(o.PackGrants()) > 0
	switch {
	case membership && len(o.Lines) > 1:
		return ErrMembershipAlone
	case membership && a.Subscription != nil && a.Subscription.Paid() && a.Subscription.Active(now):
		return ErrMembershipHeld
	case packs && !entitled(a, now):
		return ErrTopUpNotAllowed
	}
	return nil
}

func entitled(a credits.Account, now time.Time) bool {
	if a.Subscription == nil {
		return false
	}
	for _, e := range a.Subscription.Entitlements(now) {
		if e == topUp {
			return true
		}
	}
	return false
}
