package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// GetLibraryMeditation answers one meditation of the library with its script.
func (s *Screens) GetLibraryMeditation(ctx context.Context, req *webv1.GetLibraryMeditationRequest) (*webv1.GetLibraryMeditationResponse, error) {
	res, err := s.Clients.Library.GetMeditation(ctx, &contentv1.GetMeditationRequest{Id: req.GetId()})
	if err != nil {
		return nil, err
	}
	return &webv1.GetLibraryMeditationResponse{Card: meditationCard(res.GetCard()), Paragraphs: res.GetParagraphs()}, nil
}
