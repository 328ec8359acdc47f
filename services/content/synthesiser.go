package content

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"serein.app/services/content/internal/ambience"
	"serein.app/services/content/internal/tracks"
	"serein.app/services/sound/mp3"
)

// synthesiser makes the ambient sounds in this process. The encoder is opened for one sound and
// closed again: after the first start it is not needed any more.
type synthesiser struct{ module, cacheDir string }

var _ tracks.Synthesiser = synthesiser{}

// Version of the sounds.
func (synthesiser) Version() string { return "v" + ambience.Version }

// Window of every sound.
func (synthesiser) Window() (start, length time.Duration) {
	return ambience.LoopStart, ambience.LoopLength
}

// Synthesise makes and encodes a sound, in four to five seconds of a core.
func (s synthesiser) Synthesise(ctx context.Context, id string) (sound []byte, err error) {
	loop, err := ambience.Render(id)
	if err != nil {
		return nil, err
	}
	code, err := os.ReadFile(s.module)
	if err != nil {
		return nil, fmt.Errorf("LAME_WASM: %w", err)
	}
	codec, err := mp3.Open(ctx, code, s.cacheDir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, codec.Close(context.WithoutCancel(ctx))) }()
	return ambience.Encode(ctx, codec, loop)
}
