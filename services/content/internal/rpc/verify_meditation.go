package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
)

// VerifyMeditation lets members hear it. Errors: entry.ErrNotFound, studio.ErrNotNarrated.
func (s *Studio) VerifyMeditation(ctx context.Context, req *contentv1.VerifyMeditationRequest) (*contentv1.VerifyMeditationResponse, error) {
	item, locale, err := s.studio.Verify(ctx, editor(ctx), req.GetId())
	if err != nil {
		return nil, err
	}
	made, err := s.made(ctx, item, locale)
	return &contentv1.VerifyMeditationResponse{Made: made}, err
}
