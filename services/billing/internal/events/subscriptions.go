package events

import (
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/billing/internal/subscriptions"
	"serein.app/services/platform/outbox"
)

// SubscriptionRenewed tells that a further period was paid; order is the nil UUID where nothing was charged.
func SubscriptionRenewed(to subscriptions.State, order uuid.UUID) outbox.Event {
	m := &eventsv1.SubscriptionRenewed{
		Uid: to.UID.String(), SubscriptionId: to.ID, PlanId: to.PlanID, PeriodEndsAt: timestamppb.New(to.EndsAt),
	}
	if order != uuid.Nil {
		m.OrderId = order.String()
	}
	return about(to.UID, m)
}

// SubscriptionChanged tells of another plan, with the plan credits that the member has then.
func SubscriptionChanged(to subscriptions.State, h subscriptions.Happening, credits int64) outbox.Event {
	return about(to.UID, &eventsv1.SubscriptionChanged{
		Uid: to.UID.String(), SubscriptionId: to.ID, FromPlanId: h.From.PlanID, ToPlanId: to.PlanID, FromName: h.From.PlanName, ToName: to.PlanName,
		FromPeriod: h.From.Period, ToPeriod: to.Period, Amount: h.Amount, Currency: to.Currency, PeriodEndsAt: timestamppb.New(to.EndsAt),
		NextAmount: max(to.Amount-h.Credit, 0), PlanCredits: credits, ChangeId: changeID(h),
		PlanAmount: h.Cost, UnusedAmount: h.Unused,
	})
}

// changeID tells one change from another: by the invoice that charged or credited it, or by its moment where there was none.
func changeID(h subscriptions.Happening) string {
	if h.Invoice != "" {
		return h.Invoice
	}
	return h.At.UTC().Format(time.RFC3339)
}

// SubscriptionPaymentFailed tells that a further period was not paid, or tells so again.
func SubscriptionPaymentFailed(of subscriptions.State, h subscriptions.Happening) outbox.Event {
	m := &eventsv1.SubscriptionPaymentFailed{
		Uid: of.UID.String(), SubscriptionId: of.ID, AccessUntil: timestamppb.New(of.AccessUntil()), Notice: h.Notice,
		PeriodEndedAt: timestamppb.New(of.EndsAt), PlanName: of.PlanName, Amount: h.Amount, Currency: of.Currency,
	}
	if !of.NextAttempt.IsZero() {
		m.NextAttempt = timestamppb.New(of.NextAttempt)
	}
	return about(of.UID, m)
}

// SubscriptionCancellationScheduled tells that a membership will end with its period, and why as its member says.
func SubscriptionCancellationScheduled(of subscriptions.State, why sales.CancelReason) outbox.Event {
	return about(of.UID, &eventsv1.SubscriptionCancellationScheduled{
		Uid: of.UID.String(), SubscriptionId: of.ID, EndsAt: timestamppb.New(of.EndsAt), PlanName: of.PlanName, Reason: string(why),
	})
}

// SubscriptionReactivated tells that a cancellation was taken back.
func SubscriptionReactivated(of subscriptions.State) outbox.Event {
	return about(of.UID, &eventsv1.SubscriptionReactivated{
		Uid: of.UID.String(), SubscriptionId: of.ID, PlanName: of.PlanName, PeriodEndsAt: timestamppb.New(of.EndsAt),
	})
}

// TrialEnding tells that a trial ends soon, with what is left of all credits.
func TrialEnding(of subscriptions.State, available int64) outbox.Event {
	return about(of.UID, &eventsv1.TrialEnding{Uid: of.UID.String(), EndsAt: timestamppb.New(of.EndsAt), Available: available})
}

// TrialEnded tells that a trial is over.
func TrialEnded(uid uuid.UUID) outbox.Event {
	return about(uid, &eventsv1.TrialEnded{Uid: uid.String()})
}
