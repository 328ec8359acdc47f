package generation

import (
	"context"
	"errors"
	"fmt"
	"os"

	"serein.app/services/generation/internal/flite"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/publication"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/script"
	"serein.app/services/generation/internal/spoken"
	"serein.app/services/generation/internal/title"
	"serein.app/services/sound/mp3"
)

// recorder is what makes meditations: the title check, the writer and the recorder of what is
// written. The default needs no account anywhere: everything runs in this process.
type recorder struct {
	checkTitle func(string) (string, error)
	writer     meditation.Writer
	recorder   voices
	// synthesiser speaks what is not kept, for the recorder.
	synthesiser spoken.Synthesiser
	close       func(context.Context) error
}

// voices record members' meditations and, when no member needs them, narrations.
type voices interface {
	meditation.Recorder
	publication.Recorder
	// SpeakWith has another synthesiser speak for the one of that name, from before the first recording.
	SpeakWith(name string, s narration.Synthesiser)
	// Engage adds the narrators of an operator's file, who speak by these synthesisers, before the first recording.
	Engage(file []byte, synthesisers narration.Synthesisers) error
	// Narrators are all who can be chosen, in the order in which members see them.
	Narrators() []recording.Narrator
}

// builtIn is the name of the synthesiser that runs in this process.
const builtIn = "flite"

// openRecorder compiles the speech synthesiser and the encoder, or finds them compiled.
func openRecorder(ctx context.Context, cfg Config) (recorder, error) {
	if err := script.Load(); err != nil {
		return recorder{}, err
	}
	raiseGOMAXPROCS(cfg.recorderWorkers())
	synthesiserCode, err := os.ReadFile(cfg.FliteWasm)
	if err != nil {
		return recorder{}, fmt.Errorf("FLITE_WASM: %w", err)
	}
	encoderCode, err := os.ReadFile(cfg.LameWasm)
	if err != nil {
		return recorder{}, fmt.Errorf("LAME_WASM: %w", err)
	}
	synthesiser, err := flite.Open(ctx, synthesiserCode, cfg.WasmCacheDir)
	if err != nil {
		return recorder{}, err
	}
	codec, err := mp3.Open(ctx, encoderCode, cfg.WasmCacheDir)
	if err != nil {
		return recorder{}, errors.Join(err, synthesiser.Close(ctx))
	}
	closeAll := func(ctx context.Context) error { return errors.Join(synthesiser.Close(ctx), codec.Close(ctx)) }
	narrators, err := narration.New(narration.Synthesisers{builtIn: synthesiser}, codec, cfg.recorderWorkers())
	if err != nil {
		return recorder{}, errors.Join(err, closeAll(ctx))
	}
	narrators.SpeedLimit = cfg.NarrationSpeed
	return recorder{
		checkTitle: title.Check, writer: script.Composer{},
		recorder: narrators, synthesiser: synthesiser, close: closeAll,
	}, nil
}
