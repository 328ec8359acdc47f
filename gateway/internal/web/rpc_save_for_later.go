package web

import (
	"context"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// SaveForLater saves a line for later, or moves it back into the basket.
func (s *Screens) SaveForLater(ctx context.Context, req *webv1.SaveForLaterRequest) (*webv1.SaveForLaterResponse, error) {
	out := &webv1.SaveForLaterResponse{}
	var err error
	out.Basket, err = s.changeBasket(ctx, func(guestID string) (*basketv1.Basket, error) {
		res, err := s.Clients.Baskets.SetSaved(ctx, &basketv1.SetSavedRequest{
			GuestId: guestID, Version: req.GetVersion(), LineId: req.GetLineId(), Saved: req.GetSaved(),
		})
		out.Outcome = outcomes[res.GetOutcome()]
		return res.GetBasket(), err
	})
	return out, err
}
