package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// Preview narrates the beginning of a script or an article.
func (s *Screens) Preview(ctx context.Context, req *webv1.PreviewRequest) (*webv1.PreviewResponse, error) {
	res, err := s.Clients.Studio.Preview(ctx, &contentv1.PreviewRequest{
		Script: req.GetScript(), Type: req.GetType(), Immersive: req.GetImmersive(), NarratorId: req.GetNarratorId(),
		Article: req.GetArticle(), Title: req.GetTitle(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.PreviewResponse{Mp3: res.GetMp3(), DurationMs: res.GetDurationMs(), NarratorName: res.GetNarratorName()}, nil
}
