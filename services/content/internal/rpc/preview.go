package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/content/internal/studio"
)

// Preview has the beginning of a script or an article said. Errors: those of the script and of its narrator; what the
// generation service refuses; errs.ErrUnavailable while it is away.
func (s *Studio) Preview(ctx context.Context, req *contentv1.PreviewRequest) (*contentv1.PreviewResponse, error) {
	narrator, sentences, err := s.studio.FirstPassage(studio.Preview{
		Text: req.GetScript(), Article: req.GetArticle(), Title: req.GetTitle(), Type: req.GetType(), NarratorID: req.GetNarratorId(),
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, speakTime)
	defer cancel()
	said, err := s.speaker.SpeakPassage(ctx, &generationv1.SpeakPassageRequest{
		NarratorId: narrator, Immersive: req.GetImmersive(), Passage: &generationv1.Passage{Sentences: sentences},
	})
	if err != nil {
		return nil, err
	}
	return &contentv1.PreviewResponse{Mp3: said.GetMp3(), DurationMs: said.GetDurationMs(), NarratorName: said.GetNarratorName()}, nil
}
