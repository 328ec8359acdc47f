package rpc

import (
	"context"

	"github.com/google/uuid"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/services/basket/internal/basket"
)

// SetSaved saves a line for later, or moves it back where it may be.
func (h *Handler) SetSaved(ctx context.Context, req *basketv1.SetSavedRequest) (*basketv1.SetSavedResponse, error) {
	line, err := uuid.Parse(req.GetLineId())
	if err != nil {
		return nil, err
	}
	command := basket.Command{Version: &req.Version, At: h.at()}
	if req.GetSaved() {
		sold := h.prices(ctx)
		command.Change = func(b basket.Basket) (basket.Basket, basket.Outcome, error) {
			next, err := b.Save(line, command.At, sold)
			return next, 0, err
		}
	} else {
		sold, err := h.shop.Catalogue(ctx) // it comes back as if it were added
		if err != nil {
			return nil, err
		}
		command.Change = func(b basket.Basket) (basket.Basket, basket.Outcome, error) { return b.Restore(line, command.At, sold) }
	}
	b, outcome, err := h.change(ctx, req.GetGuestId(), command)
	if err != nil {
		return nil, err
	}
	return &basketv1.SetSavedResponse{Basket: toProto(b), Outcome: toProtoOutcome(outcome)}, nil
}
