package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// SetSaved keeps an item in My Journey, or takes it out.
func (s *Screens) SetSaved(ctx context.Context, req *webv1.SetSavedRequest) (*webv1.SetSavedResponse, error) {
	res, err := s.Clients.Items.SetSaved(ctx, &contentv1.SetSavedRequest{Item: itemRef(req.GetItem()), Saved: req.GetSaved()})
	if err != nil {
		return nil, err
	}
	return &webv1.SetSavedResponse{Standing: standing(res.GetStanding()), Changed: res.GetChanged()}, nil
}
