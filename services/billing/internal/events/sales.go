package events

import (
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/outbox"
)

// OrderCompleted tells that an order was paid, and what it bought was given; ends is when a membership's period does, else zero.
func OrderCompleted(o sales.Order, at, ends time.Time) outbox.Event {
	m := &eventsv1.OrderCompleted{
		Uid: o.UID.String(), OrderId: o.ID.String(), Number: o.Number(), Lines: lines(o), CompletedAt: timestamppb.New(at), Cause: string(o.Cause),
		Total: o.Charged(), Vat: o.VAT(), Delivery: o.Delivery, Discount: o.Discount, FromBalance: o.FromBalance,
		Currency: o.Currency, VatPercent: o.VATPercent, OrderedAt: timestamppb.New(o.CreatedAt),
	}
	if !ends.IsZero() {
		m.PeriodEndsAt = timestamppb.New(ends)
	}
	return about(o.UID, m)
}

func lines(o sales.Order) []*eventsv1.OrderLine {
	all := make([]*eventsv1.OrderLine, len(o.Lines))
	for i, line := range o.Lines {
		all[i] = &eventsv1.OrderLine{
			ProductId: line.ProductID, Name: line.Name, Size: line.Size, Quantity: line.Quantity, Kind: string(line.Kind),
			UnitAmount: line.UnitAmount, Currency: o.Currency, Credits: line.Credits * int64(line.Quantity),
		}
	}
	return all
}

// OrderUnpaid tells that the payment of an order was on its way and did not arrive.
func OrderUnpaid(o sales.Order) outbox.Event {
	return about(o.UID, &eventsv1.OrderUnpaid{
		Uid: o.UID.String(), OrderId: o.ID.String(), Number: o.Number(), Lines: lines(o), Total: o.Total, Currency: o.Currency,
	})
}

// OrderRefunded tells that money of an order went back: returned in all, why, and how many of its credits were taken.
func OrderRefunded(o sales.Order, returned, taken int64, why sales.RefundReason) outbox.Event {
	return about(o.UID, &eventsv1.OrderRefunded{
		Uid: o.UID.String(), OrderId: o.ID.String(), Number: o.Number(), Lines: lines(o), Total: o.Charged(), Reason: string(why),
		Amount: returned - o.Refunded, Refunded: returned, Currency: o.Currency, CreditsTaken: taken, Restored: o.Restored,
	})
}

// OrderRestored tells that money of an order which had gone is ours again: what is gone still, why, how many of its credits were given back,
// and until when its membership is open again; zero where it is not.
func OrderRestored(o sales.Order, left, given int64, until time.Time, why sales.RefundReason) outbox.Event {
	m := &eventsv1.OrderRestored{
		Uid: o.UID.String(), OrderId: o.ID.String(), Number: o.Number(), Lines: lines(o), Total: o.Charged(), Reason: string(why),
		Amount: o.Refunded - left, Refunded: left, Currency: o.Currency, CreditsGiven: given, Restored: o.Restored + 1,
	}
	if !until.IsZero() {
		m.AccessUntil = timestamppb.New(until)
	}
	return about(o.UID, m)
}

// SubscriptionStarted tells that a paid membership began.
func SubscriptionStarted(uid uuid.UUID, subscription, plan string, ends time.Time) outbox.Event {
	return about(uid, &eventsv1.SubscriptionStarted{
		Uid: uid.String(), SubscriptionId: subscription, PlanId: plan, PeriodEndsAt: timestamppb.New(ends),
	})
}

// SubscriptionCancelled tells that a paid membership has ended, and why.
func SubscriptionCancelled(uid uuid.UUID, subscription, plan, name, reason string) outbox.Event {
	return about(uid, &eventsv1.SubscriptionCancelled{
		Uid: uid.String(), SubscriptionId: subscription, PlanId: plan, PlanName: name, Reason: reason,
	})
}
