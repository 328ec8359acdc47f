package shared

import (
	"context"
	"io"

	"serein.app/services/generation/internal/recording"
)

// Samples are the recordings to hear before a decision: the minute for visitors, and a sentence by each narrator.
type Samples struct {
	Minute *Library
	Voices []Voice
	// WriterRecipient is who gets titles to write by, as members read it; empty where they do not leave Serein.
	WriterRecipient string
}

// Voice is a narrator with the sentence that members choose by.
type Voice struct {
	recording.Narrator

	Library *Library
}

// Open gives the sound of that name, as Library.Open does.
func (s Samples) Open(ctx context.Context, file string) (io.ReadSeekCloser, error) {
	for _, v := range s.Voices {
		if file == v.Library.file() {
			return v.Library.Open(ctx, file)
		}
	}
	return s.Minute.Open(ctx, file)
}
