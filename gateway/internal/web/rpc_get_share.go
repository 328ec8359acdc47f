package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetShare answers the running link of one of the member's meditations.
func (s *Screens) GetShare(ctx context.Context, req *webv1.GetShareRequest) (*webv1.GetShareResponse, error) {
	res, err := s.Clients.Shares.GetShare(ctx, &generationv1.GetShareRequest{Id: req.GetId()})
	if err != nil {
		return nil, err
	}
	return &webv1.GetShareResponse{Share: s.share(res.GetShare())}, nil
}

// share is a link as its owner sees it; nil for none.
func (s *Screens) share(in *generationv1.Share) *webv1.Share {
	if in == nil {
		return nil
	}
	out := &webv1.Share{ShownName: in.GetShownName(), CreatedAt: in.GetCreatedAt()}
	if token := in.GetToken(); token != "" {
		out.Url = string(s.Site) + "/shared/" + token
	}
	return out
}
