package content

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"serein.app/services/content/internal/ambience"
	"serein.app/services/content/internal/tracks"
	"serein.app/services/platform/mp3"
)

// house makes the ambient sounds in this process. The encoder is opened for one sound and closed
// again: after the first start it is not needed any more.
type house struct{ module, cacheDir string }

var _ tracks.Maker = house{}

// Recipe is the sounds' version: another one makes all of them anew.
func (house) Recipe() string { return "v" + ambience.Version }

// Make synthesises and encodes a sound, in a second or two.
func (h house) Make(ctx context.Context, id string) (sound tracks.Sound, err error) {
	code, err := os.ReadFile(h.module)
	if err != nil {
		return tracks.Sound{}, fmt.Errorf("LAME_WASM: %w", err)
	}
	codec, err := mp3.Open(ctx, code, h.cacheDir)
	if err != nil {
		return tracks.Sound{}, err
	}
	defer func() { err = errors.Join(err, codec.Close(context.WithoutCancel(ctx))) }()
	loop, err := ambience.Render(id)
	if err != nil {
		return tracks.Sound{}, err
	}
	file, err := ambience.Encode(ctx, codec, loop)
	if err != nil {
		return tracks.Sound{}, err
	}
	return tracks.Sound{
		MP3:        file.MP3,
		LoopStart:  time.Duration(file.LoopStartMs) * time.Millisecond,
		LoopLength: time.Duration(file.LoopLengthMs) * time.Millisecond,
	}, nil
}
