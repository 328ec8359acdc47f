package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/markup"
)

// PreviewText answers the HTML that readers will get once the text is kept.
func (*Management) PreviewText(_ context.Context, req *contentv1.PreviewTextRequest) (*contentv1.PreviewTextResponse, error) {
	return &contentv1.PreviewTextResponse{Html: markup.HTML(markup.Clean(req.GetMarkdown()))}, nil
}
