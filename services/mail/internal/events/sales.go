package events

import (
	"fmt"
	"slices"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/platform/itemkind"
)

// Why money of an order went back, as billing names it.
const (
	refunded         = "refund"
	disputed         = "dispute"
	secondMembership = "second_membership"
	accountDeleted   = "account_deleted"
)

// Why money that had gone back is ours again, as billing names it.
const (
	disputeWon   = "dispute_won"
	refundFailed = "refund_failed"
)

// Why an order was made, as billing names it; empty is the first.
const (
	atCheckout  = "checkout"
	forRenewal  = "renewal"
	forAChange  = "change"
	untoldCause = ""
)

// order writes the letters of a paid order: a receipt, which has a separate text for a renewal. The receipt of a change of plan
// goes beside the letter of the change, which has neither number nor VAT. An order that goes by post also sends a letter to our
// own mailbox.
func order(a about, e *eventsv1.OrderCompleted) (mailing, error) {
	m := mailing{letter: receipt(e), overtakes: []string{letters.Topic(letters.OfCredits, a.uid)}}
	switch cause := e.GetCause(); cause {
	case atCheckout, untoldCause:
		if has(e, itemkind.Membership) {
			m.overtakes = append(m.overtakes, letters.Topic(letters.OfTrial, a.uid))
		}
	case forRenewal:
		m.letter.Key, m.letter.Template = "renewed:"+e.GetOrderId(), letters.Renewed
		m.overtakes = append(m.overtakes, letters.Topic(letters.OfPayment, a.uid))
	case forAChange:
		m.letter.Data.Order.OfChange = true
	default:
		return mailing{}, fmt.Errorf("order %s was made for a cause that no letter tells of: %q", e.GetNumber(), cause)
	}
	if has(e, itemkind.Product) {
		parcel := *receipt(e)
		parcel.Key, parcel.Template = "apparel_order:"+e.GetOrderId(), letters.ApparelOrder
		m.ours = &parcel
	}
	return m, nil
}

func has(e *eventsv1.OrderCompleted, kind itemkind.Kind) bool {
	return slices.ContainsFunc(e.GetLines(), func(l *eventsv1.OrderLine) bool { return itemkind.Kind(l.GetKind()) == kind })
}

// receipt is the letter of an order that was paid: one an order.
func receipt(e *eventsv1.OrderCompleted) *letters.Letter {
	l := &letters.Letter{
		Key: "receipt:" + e.GetOrderId(), Template: letters.Receipt,
		Data: letters.Data{Order: &letters.Order{
			Number: e.GetNumber(), Currency: e.GetCurrency(), Lines: lines(e.GetLines()),
			Total: e.GetTotal(), Delivery: e.GetDelivery(), VAT: e.GetVat(), VATPercent: e.GetVatPercent(),
			Discount: e.GetDiscount(), Credited: max(e.GetFromBalance(), 0), Carried: max(-e.GetFromBalance(), 0),
		}},
	}
	if e.GetPeriodEndsAt() != nil {
		l.Data.Order.Until = e.GetPeriodEndsAt().AsTime()
	}
	return l
}

// unpaid is the letter of an order whose payment did not arrive: one an order.
func unpaid(_ about, e *eventsv1.OrderUnpaid) (mailing, error) {
	return mailing{letter: &letters.Letter{
		Key: "unpaid:" + e.GetOrderId(), Template: letters.OrderUnpaid,
		Data: letters.Data{Order: &letters.Order{
			Number: e.GetNumber(), Currency: e.GetCurrency(), Lines: lines(e.GetLines()), Total: e.GetTotal(),
		}},
	}}, nil
}

// refund is the letter of money that went back: one each time, told from the others by what has gone back in all, and by how often some
// of it had come back to us before. There is none of a dispute, which the member has with their bank, nor to an account that is gone.
func refund(_ about, e *eventsv1.OrderRefunded) (mailing, error) {
	l := &letters.Letter{
		Key: fmt.Sprintf("refund:%s:%d", e.GetOrderId(), e.GetRefunded()), Template: letters.RefundSent,
		Data: letters.Data{Refund: &letters.Refund{
			Number: e.GetNumber(), Currency: e.GetCurrency(), Lines: lines(e.GetLines()),
			Total: e.GetTotal(), Amount: e.GetAmount(), Refunded: e.GetRefunded(), CreditsTaken: e.GetCreditsTaken(),
		}},
	}
	if n := e.GetRestored(); n > 0 {
		l.Key += fmt.Sprintf(":%d", n)
	}
	switch why := e.GetReason(); why {
	case refunded:
	case secondMembership:
		l.Template = letters.PaymentReturned
	case disputed, accountDeleted:
		return mailing{}, nil
	default:
		return mailing{}, fmt.Errorf("order %s went back for a reason that no letter tells of: %q", e.GetNumber(), why)
	}
	return mailing{letter: l}, nil
}

// restored is the letter of money that had gone back and is ours again: one each time.
func restored(_ about, e *eventsv1.OrderRestored) (mailing, error) {
	l := &letters.Letter{
		Key: fmt.Sprintf("restored:%s:%d", e.GetOrderId(), e.GetRestored()),
		Data: letters.Data{Refund: &letters.Refund{
			Number: e.GetNumber(), Currency: e.GetCurrency(), Lines: lines(e.GetLines()),
			Total: e.GetTotal(), Amount: e.GetAmount(), Refunded: e.GetRefunded(), CreditsGiven: e.GetCreditsGiven(),
		}},
	}
	if until := e.GetAccessUntil(); until != nil {
		l.Data.Refund.Until = until.AsTime()
	}
	switch why := e.GetReason(); why {
	case disputeWon:
		l.Template = letters.DisputeWon
	case refundFailed:
		l.Template = letters.RefundFailed
	default:
		return mailing{}, fmt.Errorf("money of order %s came back for a reason that no letter tells of: %q", e.GetNumber(), why)
	}
	return mailing{letter: l}, nil
}

func lines(of []*eventsv1.OrderLine) []letters.Line {
	all := make([]letters.Line, len(of))
	for i, l := range of {
		all[i] = letters.Line{
			Name: letters.OneLine(l.GetName()), Size: letters.OneLine(l.GetSize()), Kind: itemkind.Kind(l.GetKind()),
			Quantity: l.GetQuantity(), UnitAmount: l.GetUnitAmount(), Credits: l.GetCredits(),
		}
	}
	return all
}
