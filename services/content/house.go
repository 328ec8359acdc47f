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

// house makes the ambient sounds in this process. The encoder is opened for one sound and closed
// again: after the first start it is not needed any more.
type house struct{ module, cacheDir string }

var _ tracks.Maker = house{}

// Recipe is the sounds' version: another one makes all of them anew.
func (house) Recipe() string { return "v" + ambience.Version }

// Window of every sound.
func (house) Window() (start, length time.Duration) { return ambience.LoopStart, ambience.LoopLength }

// Make synthesises and encodes a sound, in three to four seconds of a core.
func (h house) Make(ctx context.Context, id string) (sound []byte, err error) {
	loop, err := ambience.Render(id)
	if err != nil {
		return nil, err
	}
	code, err := os.ReadFile(h.module)
	if err != nil {
		return nil, fmt.Errorf("LAME_WASM: %w", err)
	}
	codec, err := mp3.Open(ctx, code, h.cacheDir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, codec.Close(context.WithoutCancel(ctx))) }()
	return ambience.Encode(ctx, codec, loop)
}
