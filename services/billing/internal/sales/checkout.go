package sales

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/failpoint"
	"serein.app/services/platform/itemkind"
	"serein.app/services/platform/postgres"
)

// shortestSession is what the provider wants a page to stay open at least.
const shortestSession = 30 * time.Minute

// Start makes one order of what is asked for and opens the provider's page for it. The same key gives the same order.
func (s *Service) Start(ctx context.Context, r Request) (Order, error) {
	kept, older, err := s.startOrder(ctx, r)
	if err != nil {
		return kept, err
	}
	if kept.SessionID == "" {
		failpoint.Pass(failpoint.AfterOrderKept)
		if err := s.replace(ctx, kept, older); err != nil {
			return Order{}, err
		}
		if kept, err = s.open(ctx, kept, r, ""); err != nil {
			return kept, Unavailable(err)
		}
	}
	return kept, s.closeIfSuperseded(ctx, kept)
}

// replace closes the pages of the orders before o, and looks whether o may be bought after what was found paid there.
func (s *Service) replace(ctx context.Context, o Order, older []Order) error {
	for _, other := range older {
		if err := s.expireCheckout(ctx, other); err != nil {
			return Unavailable(err)
		}
	}
	// What was found paid just now may be the membership that is asked for.
	if len(older) > 0 {
		a, err := s.Store.Account(ctx, o.UID)
		if err == nil {
			err = mayBuy(o, a, s.Now())
		}
		if err != nil {
			return err
		}
	}
	return s.refusePaid(ctx, o)
}

// latest is how many of a member's paid orders are looked at: those that waited when another began are few.
const latest = 20

// refusePaid closes an order whose very things an older one was paid for since it began: what was
// chosen has been bought.
func (s *Service) refusePaid(ctx context.Context, o Order) error {
	paid, err := s.Store.PaidOrders(ctx, o.UID, o.Sequence, latest)
	same := func(p Order) bool { return bytes.Equal(p.Request, o.Request) && p.CompletedAt.After(o.CreatedAt) }
	if err != nil || !slices.ContainsFunc(paid, same) {
		return err
	}
	if _, err := s.Store.Close(ctx, o.ID); err != nil {
		return err
	}
	return ErrJustPaid
}

// closeIfSuperseded closes the page of an order if the member has begun a later order: the later checkout could not close this page before
// it was open. So one page of two tabs stays open.
func (s *Service) closeIfSuperseded(ctx context.Context, o Order) error {
	if o.State != Open {
		return nil
	}
	waiting, err := s.Store.WaitingOf(ctx, o.UID)
	if err != nil || !slices.ContainsFunc(waiting, func(other Order) bool { return other.Sequence > o.Sequence }) {
		return err
	}
	if err := s.expireCheckout(ctx, o); err != nil {
		return Unavailable(err)
	}
	return ErrOtherCheckout
}

func (s *Service) startOrder(ctx context.Context, r Request) (Order, []Order, error) {
	catalogue, err := s.Store.Items(ctx)
	if err != nil {
		return Order{}, nil, err
	}
	a, err := s.Store.Account(ctx, r.UID)
	if err != nil {
		return Order{}, nil, err
	}
	o, refused := compose(r, catalogue, a, s.Terms, s.Now())
	if refused != nil {
		return s.repeated(ctx, r, refused)
	}
	if o.ID, err = s.NewID(); err != nil {
		return Order{}, nil, err
	}
	return s.Store.StartOrder(ctx, o)
}

// repeated answers a request whose key was used before, even if billing would refuse the request today: a member who has paid since then
// asks for a membership that they now have.
func (s *Service) repeated(ctx context.Context, r Request, refused error) (Order, []Order, error) {
	o, older, err := s.Store.StartOrder(ctx, Order{UID: r.UID, Key: r.Key, Request: r.fingerprint()})
	if errors.Is(err, postgres.ErrNotFound) {
		return Order{}, nil, refused
	}
	return o, older, err
}

// open creates the checkout page of an order without one. gone is the id of a customer that the provider has deleted; it is empty on the
// first call.
func (s *Service) open(ctx context.Context, o Order, r Request, gone string) (Order, error) {
	if o.State != Open {
		return o, ErrProviderAway.Because(errCheckoutOver)
	}
	customer, err := s.customer(ctx, o, r, gone)
	if err != nil {
		return o, err
	}
	if o.ExpiresAt.Sub(s.Now()) < shortestSession {
		// It is too late to ask again with the same key; the page may have been opened all the same.
		found, err := s.find(ctx, o, customer)
		if err == nil && found.SessionID == "" {
			err = ErrProviderAway.Because(errCheckoutOver)
		}
		return found, err
	}
	codes, err := s.mayUseCodes(ctx, o.UID)
	if err != nil {
		return o, err
	}
	session, err := s.Provider.CreateSession(ctx, o.key("order"), s.newSession(o, customer, codes))
	if errors.Is(err, ErrNoCustomer) && gone == "" {
		return s.openForAnother(ctx, o, r, customer)
	}
	if errors.Is(err, ErrProviderFault) {
		// The provider may have opened the page all the same.
		found, unread := s.find(ctx, o, customer)
		if unread != nil || found.SessionID != "" {
			return found, unread
		}
		err = s.rotateIdempotencyKey(ctx, o, err)
	}
	if err != nil {
		return o, fmt.Errorf("open the checkout of order %s: %w", o.Number(), err)
	}
	failpoint.Pass(failpoint.AfterSessionCreated)
	o, err = s.Store.SetSession(ctx, o.ID, session)
	if err == nil {
		failpoint.Pass(failpoint.AfterSessionKept)
	}
	return o, err
}

// openForAnother opens the page after the member's customer was deleted at the provider, once: under keys of their own, since
// those of before may repeat what they answered.
func (s *Service) openForAnother(ctx context.Context, o Order, r Request, gone string) (Order, error) {
	err := s.Store.DropCustomer(ctx, r.UID, gone)
	if err == nil {
		err = s.Store.IncrementAttempt(ctx, o)
	}
	if err == nil {
		o, err = s.Store.Order(ctx, o.ID)
	}
	if err != nil {
		return o, err
	}
	return s.open(ctx, o, r, gone)
}

// rotateIdempotencyKey gives the order's next try new idempotency keys after an ErrProviderFault: the provider may repeat that answer to the
// old key for a day. The caller has checked whether the provider carried the request out, or the next try checks it.
func (s *Service) rotateIdempotencyKey(ctx context.Context, o Order, fault error) error {
	if !errors.Is(fault, ErrProviderFault) {
		return fault
	}
	return errors.Join(fault, s.Store.IncrementAttempt(ctx, o))
}

// mayUseCodes says whether the provider's page asks a member for promotion codes. It cannot be told that one of them is not for this member
// any more: while a code is taken that they have used as often as they may, their page takes none.
func (s *Service) mayUseCodes(ctx context.Context, uid uuid.UUID) (bool, error) {
	if !s.Terms.PromotionCodes {
		return false, nil
	}
	used, err := s.Store.CodesUsed(ctx, uid)
	for code, times := range used {
		may, err := s.Provider.MayUse(ctx, code, times)
		if err != nil || !may {
			return false, err
		}
	}
	return err == nil, err
}

// methods are the kinds of payment that the page of an order offers. Members pay for memberships by card alone: a debit takes days, in which
// a renewal would count as failed, and a failed first debit would leave an unpaid subscription at the provider.
func (s *Service) methods(o Order) []string {
	if o.Membership() != nil {
		return []string{"card"}
	}
	return s.Terms.PaymentMethods
}

func (s *Service) newSession(o Order, customer string, codes bool) NewSession {
	n := NewSession{
		OrderID: o.ID.String(), UID: o.UID.String(), Customer: customer, Subscription: o.Membership() != nil, Currency: o.Currency,
		SuccessURL: s.Terms.PublicURL + "/order-success?order=" + url.QueryEscape(o.ID.String()),
		CancelURL:  s.Terms.PublicURL + "/checkout", ExpiresAt: o.ExpiresAt, PromotionCodes: codes,
		Methods: s.methods(o),
	}
	for _, line := range o.Lines {
		l := SessionLine{PriceID: line.PriceID, Quantity: int64(line.Quantity)}
		if line.Kind == itemkind.Product {
			l.Note = line.Size
		}
		n.Lines = append(n.Lines, l)
	}
	if o.Ships {
		n.Delivery, n.DeliveryName, n.DeliveryAmount, n.Countries = true, "Delivery", o.Delivery, s.Terms.DeliveryCountries
	}
	return n
}

// customer is the member's at the provider. One that was made by a call whose answer was lost is found again; so may be the one
// that is gone, for a while.
func (s *Service) customer(ctx context.Context, o Order, r Request, gone string) (string, error) {
	known, err := s.Store.Customer(ctx, r.UID)
	if !errors.Is(err, postgres.ErrNotFound) {
		return known, err
	}
	made, err := s.Provider.FindCustomer(ctx, r.UID.String())
	if errors.Is(err, ErrNotFound) || err == nil && made == gone {
		who := Customer{UID: r.UID.String(), Email: r.Email, Name: FullName(r.GivenName, r.FamilyName)}
		made, err = s.Provider.CreateCustomer(ctx, o.key("customer")+":"+who.fingerprint(), who)
		err = s.rotateIdempotencyKey(ctx, o, err)
	}
	if err != nil {
		return "", fmt.Errorf("customer of %s: %w", r.UID, err)
	}
	return s.Store.AddCustomer(ctx, r.UID, made)
}

// expireCheckout closes the page of an older order, so that the member does not pay for two. It completes the order if the member has paid
// it.
func (s *Service) expireCheckout(ctx context.Context, o Order) error {
	var broken error
	if o.State == Open && o.SessionID != "" {
		err := s.Provider.ExpireSession(ctx, o.key("expire"), o.SessionID)
		switch {
		case err == nil:
			_, err = s.Store.Close(ctx, o.ID)
			return err
		case errors.Is(err, ErrProviderFault):
			broken = s.rotateIdempotencyKey(ctx, o, err)
		case !errors.Is(err, ErrRefused):
			return fmt.Errorf("close the checkout of order %s: %w", o.Number(), err)
		}
	}
	o, err := s.Settle(ctx, o)
	if err == nil && o.Waits() {
		err = broken
	}
	return err
}

// CompleteCheckout reads an order's session back and completes the order where it is paid.
func (s *Service) CompleteCheckout(ctx context.Context, uid, id uuid.UUID) (Order, error) {
	o, err := s.findMemberOrder(ctx, uid, id)
	if err != nil || !o.Waits() {
		return o, err
	}
	o, err = s.Settle(ctx, o)
	return o, Unavailable(err)
}

// findMemberOrder gives a member's order; ErrOrderNotFound if it is another member's.
func (s *Service) findMemberOrder(ctx context.Context, uid, id uuid.UUID) (Order, error) {
	o, err := s.Store.Order(ctx, id)
	if errors.Is(err, postgres.ErrNotFound) || err == nil && o.UID != uid {
		return Order{}, ErrOrderNotFound.Because(err)
	}
	return o, err
}

// Receipt gives an order that was paid.
func (s *Service) Receipt(ctx context.Context, uid, id uuid.UUID) (Order, error) {
	o, err := s.findMemberOrder(ctx, uid, id)
	if err == nil && !o.Paid() {
		return Order{}, ErrOrderNotFound
	}
	return o, err
}

// Orders are a member's orders that were paid, from the newest, below a number.
func (s *Service) Orders(ctx context.Context, uid uuid.UUID, below int64, most int32) ([]Order, error) {
	return s.Store.PaidOrders(ctx, uid, below, most)
}

// Portal is the address where a member mends their card.
func (s *Service) Portal(ctx context.Context, uid uuid.UUID) (string, error) {
	customer, err := s.Store.Customer(ctx, uid)
	if errors.Is(err, postgres.ErrNotFound) {
		return "", ErrCustomerNotFound
	}
	if err != nil {
		return "", err
	}
	address, err := s.Provider.PortalURL(ctx, customer, s.Terms.PublicURL+"/members?card=given")
	if errors.Is(err, ErrNoCustomer) {
		// An operator deleted it: the card went with it, and the next checkout makes another.
		if dropped := s.Store.DropCustomer(ctx, uid, customer); dropped != nil {
			return "", dropped
		}
		return "", ErrCustomerNotFound.Because(err)
	}
	return address, Unavailable(err)
}

// Charges are what is the same for all that is sold: the VAT that prices contain, what sending an order costs, in minor units,
// and whether the provider's page takes promotion codes.
type Charges struct {
	VATPercent     int32
	Delivery       int64
	PromotionCodes bool
}

// Charges gives the charges that the service's Terms set.
func (s *Service) Charges() Charges {
	return Charges{VATPercent: s.Terms.VATPercent, Delivery: s.Terms.DeliveryAmount, PromotionCodes: s.Terms.PromotionCodes}
}

// Prices are what is sold today.
func (s *Service) Prices(ctx context.Context) ([]Item, error) {
	all, err := s.Store.Items(ctx)
	var listed []Item
	for _, item := range all {
		if item.Listed {
			listed = append(listed, item)
		}
	}
	return listed, err
}
