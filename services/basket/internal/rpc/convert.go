package rpc

import (
	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/services/basket/internal/basket"
)

func toProto(b basket.Basket) *basketv1.Basket {
	res := &basketv1.Basket{Lines: make([]*basketv1.BasketLine, len(b.Lines))}
	if b.ID != uuid.Nil {
		res.Id = b.ID.String()
	}
	for i, line := range b.Lines {
		res.Lines[i] = &basketv1.BasketLine{
			Id: line.ID.String(), ProductId: line.ProductID, Size: line.Size, Quantity: line.Quantity,
			AddedAt: timestamppb.New(line.AddedAt), SavedForLater: line.SavedForLater,
		}
	}
	return res
}
