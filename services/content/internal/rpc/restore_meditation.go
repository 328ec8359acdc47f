package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
)

// RestoreMeditation takes the deletion back. Errors: entry.ErrNotFound.
func (s *Studio) RestoreMeditation(ctx context.Context, req *contentv1.RestoreMeditationRequest) (*contentv1.RestoreMeditationResponse, error) {
	item, locale, err := s.studio.Restore(ctx, editor(ctx), req.GetId())
	if err != nil {
		return nil, err
	}
	made, err := s.made(ctx, item, locale)
	return &contentv1.RestoreMeditationResponse{Made: made}, err
}
