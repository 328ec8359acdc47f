package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetText answers a page that is words alone.
func (s *Screens) GetText(ctx context.Context, req *webv1.GetTextRequest) (*webv1.GetTextResponse, error) {
	res, err := s.Clients.Pages.GetText(ctx, &contentv1.GetTextRequest{Name: req.GetName()})
	if err != nil {
		return nil, err
	}
	return &webv1.GetTextResponse{Title: res.GetTitle(), Description: res.GetDescription(), Html: res.GetHtml(), Version: res.GetVersion()}, nil
}
