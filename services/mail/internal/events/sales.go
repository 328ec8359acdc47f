package events

import (
	"fmt"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/mail/internal/letters"
)

// Why money of an order went back, as billing names it.
const (
	refunded         = "refund"
	disputed         = "dispute"
	secondMembership = "second_membership"
	accountDeleted   = "account_deleted"
)

// receipt is the letter of an order that was paid: one an order.
func receipt(e *eventsv1.OrderCompleted) letters.Letter {
	return letters.Letter{
		Key: "receipt:" + e.GetOrderId(), Template: letters.Receipt,
		Data: letters.Data{Order: &letters.Order{
			Number: e.GetNumber(), Currency: e.GetCurrency(), Lines: lines(e.GetLines()),
			Total: e.GetTotal(), Delivery: e.GetDelivery(), VAT: e.GetVat(), VATPercent: e.GetVatPercent(),
			Discount: e.GetDiscount(),
		}},
	}
}

// refund is the letter of money that went back: one each time, told from the others by what has gone back in all. There is none
// of a dispute, which the member has with their bank, nor to an account that is gone.
func refund(e *eventsv1.OrderRefunded) (l letters.Letter, written bool, err error) {
	l = letters.Letter{
		Key: fmt.Sprintf("refund:%s:%d", e.GetOrderId(), e.GetRefunded()), Template: letters.RefundSent,
		Data: letters.Data{Refund: &letters.Refund{
			Number: e.GetNumber(), Currency: e.GetCurrency(), Lines: lines(e.GetLines()),
			Total: e.GetTotal(), Amount: e.GetAmount(), Refunded: e.GetRefunded(), CreditsTaken: e.GetCreditsTaken(),
		}},
	}
	switch why := e.GetReason(); why {
	case refunded:
	case secondMembership:
		l.Template = letters.PaymentReturned
	case disputed, accountDeleted:
		return l, false, nil
	default:
		return l, false, fmt.Errorf("order %s went back for a reason that no letter tells of: %q", e.GetNumber(), why)
	}
	return l, true, nil
}

func lines(of []*eventsv1.OrderLine) []letters.Line {
	all := make([]letters.Line, len(of))
	for i, l := range of {
		all[i] = letters.Line{
			Name: letters.OneLine(l.GetName()), Size: letters.OneLine(l.GetSize()), Kind: l.GetKind(),
			Quantity: l.GetQuantity(), UnitAmount: l.GetUnitAmount(), Credits: l.GetCredits(),
		}
	}
	return all
}
