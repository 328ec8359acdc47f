package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
)

// DeleteMeditation takes it from members at once, and for good after a day. Errors: entry.ErrNotFound.
func (s *Studio) DeleteMeditation(ctx context.Context, req *contentv1.DeleteMeditationRequest) (*contentv1.DeleteMeditationResponse, error) {
	item, locale, err := s.studio.Delete(ctx, editor(ctx), req.GetId())
	if err != nil {
		return nil, err
	}
	made, err := s.made(ctx, item, locale)
	return &contentv1.DeleteMeditationResponse{Made: made}, err
}
