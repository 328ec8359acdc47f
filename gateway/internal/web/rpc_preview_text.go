package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// PreviewText answers an editor's text as readers will see it.
func (s *Screens) PreviewText(ctx context.Context, req *webv1.PreviewTextRequest) (*webv1.PreviewTextResponse, error) {
	res, err := s.Clients.Management.PreviewText(ctx, &contentv1.PreviewTextRequest{
		Markdown: req.GetMarkdown(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.PreviewTextResponse{Html: res.GetHtml()}, nil
}
