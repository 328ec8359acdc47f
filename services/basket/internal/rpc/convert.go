package rpc

import (
	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/services/basket/internal/basket"
)

func toProto(b basket.Basket) *basketv1.Basket {
	res := &basketv1.Basket{Version: b.Version, CanUndo: b.Before != nil, Lines: make([]*basketv1.BasketLine, len(b.Lines))}
	if b.ID != uuid.Nil {
		res.Id = b.ID.String()
	}
	for i, l := range b.Lines {
		res.Lines[i] = &basketv1.BasketLine{
			Id: l.ID.String(), ProductId: l.ProductID, Size: l.Size, Quantity: l.Quantity, AddedAt: timestamppb.New(l.AddedAt),
			ShownAmount: l.ShownAmount, ShownCurrency: l.ShownCurrency,
		}
		if l.SavedAt != nil {
			res.Lines[i].SavedAt = timestamppb.New(*l.SavedAt)
		}
	}
	return res
}

var outcomes = map[basket.Outcome]basketv1.Outcome{
	basket.Added:              basketv1.Outcome_OUTCOME_ADDED,
	basket.AlreadyThere:       basketv1.Outcome_OUTCOME_ALREADY_THERE,
	basket.OthersSaved:        basketv1.Outcome_OUTCOME_OTHERS_SAVED,
	basket.Saved:              basketv1.Outcome_OUTCOME_SAVED,
	basket.MembershipInBasket: basketv1.Outcome_OUTCOME_MEMBERSHIP_IN_BASKET,
	basket.Most:               basketv1.Outcome_OUTCOME_MOST,
}

func toProtoOutcome(o basket.Outcome) basketv1.Outcome { return outcomes[o] }
