package generation

import (
	"context"
	"errors"
	"fmt"
	"os"

	"serein.app/services/generation/internal/composer"
	"serein.app/services/generation/internal/flite"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/narrator"
	"serein.app/services/generation/internal/title"
	"serein.app/services/sound/mp3"
)

// studio is what makes meditations: the title check, the writer and the narrator. The default
// needs no account anywhere: everything runs in this process.
type studio struct {
	checkTitle func(string) (string, error)
	writer     meditation.Writer
	narrator   meditation.Narrator
	close      func(context.Context) error
}

// openStudio compiles the narrator and the encoder, or finds them compiled.
func openStudio(ctx context.Context, cfg Config) (studio, error) {
	voice, err := os.ReadFile(cfg.FliteWasm)
	if err != nil {
		return studio{}, fmt.Errorf("FLITE_WASM: %w", err)
	}
	encoder, err := os.ReadFile(cfg.LameWasm)
	if err != nil {
		return studio{}, fmt.Errorf("LAME_WASM: %w", err)
	}
	synth, err := flite.Open(ctx, voice, cfg.WasmCacheDir)
	if err != nil {
		return studio{}, err
	}
	codec, err := mp3.Open(ctx, encoder, cfg.WasmCacheDir)
	if err != nil {
		return studio{}, errors.Join(err, synth.Close(ctx))
	}
	return studio{
		checkTitle: title.Check, writer: composer.Composer{},
		narrator: narrator.New(narration.New(synth, codec, cfg.narrators())),
		close: func(ctx context.Context) error {
			return errors.Join(synth.Close(ctx), codec.Close(ctx))
		},
	}, nil
}
