package stripe

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
)

// Session reads one with its lines, with what it was paid by, and with the payment of its first invoice.
func (p *Provider) Session(ctx context.Context, id string) (sales.Session, error) {
	params := &stripe.CheckoutSessionRetrieveParams{}
	params.AddExpand("line_items")
	params.AddExpand("invoice.payments")
	params.AddExpand("payment_intent.latest_charge")
	found, err := p.client.V1CheckoutSessions.Retrieve(ctx, id, params)
	if err != nil {
		return sales.Session{}, fault("read checkout", err)
	}
	return p.wholeSession(ctx, found)
}

// wholeSession reads what an answer about a checkout leaves out: an expansion shows ten lines and payments at most, and where it is complete and not
// paid, its payment alone says whether it may be yet.
func (p *Provider) wholeSession(ctx context.Context, from *stripe.CheckoutSession) (sales.Session, error) {
	if err := p.wholePayments(ctx, from.Invoice); err != nil {
		return sales.Session{}, err
	}
	read := readSession(from)
	if from.LineItems != nil && from.LineItems.HasMore {
		lines, err := p.lines(ctx, from.ID)
		if err != nil {
			return sales.Session{}, err
		}
		read.Lines = lines
	}
	if payment := pendingOf(from); read.State == sales.SessionComplete && !read.Paid && payment != "" {
		found, err := p.client.V1PaymentIntents.Retrieve(ctx, payment, nil)
		if err != nil {
			return sales.Session{}, fault("read payment", err)
		}
		read.PaymentState = sales.PaymentState(found.Status)
	}
	return read, nil
}

// lines reads all pages of a checkout's.
func (p *Provider) lines(ctx context.Context, session string) ([]sales.PaidLine, error) {
	params := &stripe.CheckoutSessionListLineItemsParams{Session: stripe.String(session)}
	params.Limit = stripe.Int64(pageSize)
	var all []sales.PaidLine
	for line, err := range p.client.V1CheckoutSessions.ListLineItems(ctx, params).All(ctx) {
		if err != nil {
			return nil, fault("list lines", err)
		}
		all = append(all, readLine(line))
	}
	return all, nil
}

// pendingOf is what is to pay a checkout: its own payment, or that of its membership's first invoice.
func pendingOf(from *stripe.CheckoutSession) string {
	if from.PaymentIntent != nil {
		return from.PaymentIntent.ID
	}
	if from.Invoice != nil {
		return paymentOf(from.Invoice, "open")
	}
	return ""
}

// SessionsOf reads all pages.
func (p *Provider) SessionsOf(ctx context.Context, customer string, since time.Time) ([]sales.Session, error) {
	params := &stripe.CheckoutSessionListParams{
		Customer: stripe.String(customer), CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: since.Unix()},
	}
	params.Limit = stripe.Int64(pageSize)
	params.AddExpand("data.line_items")
	params.AddExpand("data.invoice.payments")
	params.AddExpand("data.payment_intent.latest_charge")
	var found []sales.Session
	for session, err := range p.client.V1CheckoutSessions.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, fault("list checkouts", err)
		}
		read, err := p.wholeSession(ctx, session)
		if err != nil {
			return nil, err
		}
		found = append(found, read)
	}
	return found, nil
}

// ExpireSession looks again where the provider refuses: a checkout that expired meanwhile is as it should be.
func (p *Provider) ExpireSession(ctx context.Context, key, id string) error {
	_, err := p.client.V1CheckoutSessions.Expire(ctx, id, &stripe.CheckoutSessionExpireParams{Params: write(ctx, key)})
	err = fault("expire checkout", err)
	if !errors.Is(err, sales.ErrRefused) {
		return err
	}
	now, again := p.Session(ctx, id)
	if again != nil {
		return again
	}
	if now.State == sales.SessionExpired {
		return nil
	}
	return fmt.Errorf("%w (it is %s)", err, now.State)
}

func readSession(from *stripe.CheckoutSession) sales.Session {
	read := sales.Session{
		ID: from.ID, URL: from.URL, OrderID: from.ClientReferenceID, UID: from.Metadata[uidKey], State: sales.SessionState(from.Status),
		Paid: from.PaymentStatus == stripe.CheckoutSessionPaymentStatusPaid ||
			from.PaymentStatus == stripe.CheckoutSessionPaymentStatusNoPaymentRequired,
		Live: from.Livemode, Amount: from.AmountTotal, Currency: string(from.Currency),
	}
	if from.Customer != nil {
		read.Customer = from.Customer.ID
	}
	if from.ShippingCost != nil {
		read.Delivery = from.ShippingCost.AmountTotal
	}
	if from.TotalDetails != nil {
		read.Discount = from.TotalDetails.AmountDiscount
	}
	for _, discount := range from.Discounts {
		if discount.PromotionCode != nil {
			read.Code = discount.PromotionCode.ID
		}
	}
	if from.Subscription != nil {
		read.Subscription = from.Subscription.ID
	}
	if from.PaymentIntent != nil && read.Paid {
		read.Payment, read.PaidBy = from.PaymentIntent.ID, readMeans(from.PaymentIntent.LatestCharge)
	} else if invoice := from.Invoice; invoice != nil {
		// A membership's invoice is charged: the session knows its goods, and nothing of the balance that goes into it.
		read.Payment, read.Amount, read.FromBalance = paymentOf(invoice, "paid"), invoice.AmountDue, invoice.Total-invoice.AmountDue
	}
	if from.LineItems != nil {
		for _, line := range from.LineItems.Data {
			read.Lines = append(read.Lines, readLine(line))
		}
	}
	if from.CollectedInformation != nil {
		read.Address = readAddress(from.CollectedInformation.ShippingDetails)
	}
	return read
}

func readLine(from *stripe.LineItem) sales.PaidLine {
	line := sales.PaidLine{Quantity: from.Quantity, Amount: from.AmountSubtotal}
	if from.Price != nil {
		line.PriceID = from.Price.ID
	}
	return line
}

func readAddress(from *stripe.CheckoutSessionCollectedInformationShippingDetails) *sales.Address {
	if from == nil || from.Address == nil {
		return nil
	}
	a := from.Address
	return &sales.Address{
		Name: oneLine(from.Name), Line1: oneLine(a.Line1), Line2: oneLine(a.Line2), City: oneLine(a.City), PostalCode: oneLine(a.PostalCode),
		Country: oneLine(a.Country),
	}
}

// oneLine is what a person typed, as it can stand on a label: one line, without what is no letter. A database keeps no NUL.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// paymentOf is the id of an invoice's payment in a state: "paid", or "open" until then; empty if the invoice has no payment in that state.
func paymentOf(invoice *stripe.Invoice, status string) string {
	if invoice.Payments == nil {
		return ""
	}
	for _, by := range invoice.Payments.Data {
		if by.Status == status && by.Payment != nil && by.Payment.PaymentIntent != nil {
			return by.Payment.PaymentIntent.ID
		}
	}
	return ""
}
