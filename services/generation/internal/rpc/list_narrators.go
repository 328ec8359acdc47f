package rpc

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
)

// ListNarrators answers every narrator; a sentence that is still being recorded is left out.
func (s *Sample) ListNarrators(context.Context, *generationv1.ListNarratorsRequest) (*generationv1.ListNarratorsResponse, error) {
	out := &generationv1.ListNarratorsResponse{WriterRecipient: s.samples.WriterRecipient}
	for _, v := range s.samples.Voices {
		narrator := &generationv1.Narrator{Id: v.ID, Name: v.Name, Description: v.Description, Recipient: v.Recipient}
		if made, err := v.Library.Recording(); err == nil {
			narrator.SamplePath, narrator.SampleDurationMs = v.Library.Path(made), made.Duration.Milliseconds()
		}
		out.Narrators = append(out.Narrators, narrator)
	}
	return out, nil
}
