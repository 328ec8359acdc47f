// Package mp3 encodes sound as MP3 with LAME, run as WebAssembly in this process. It knows
// nothing of what the sound is, and it does not decode.
//
// Streams have a constant bit rate, hold no tag of any kind and begin and end at frame
// boundaries, so streams of one Config joined byte for byte are a stream again.
//
// The module is wasm/mp3.wasm of the npm package wasm-media-encoders 0.7.0; the way to call
// it is that package's own: enc_init takes a block of five words (channels, input rate,
// bit rate, VBR quality as a float with -1 for none, output rate), enc_get_pcm gives a table
// of one float buffer a channel, enc_encode and enc_flush say how many bytes then stand in
// enc_get_out_buf.
package mp3

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tetratelabs/wazero"

	"serein.app/services/sound/wasm"
)

// maxMemory of one encoder in bytes: the module asks for 16 MiB, and grows by the block handed in.
const maxMemory = 64 << 20

// Codec is the compiled encoder, from which any number of encoders can be made. It is safe
// for concurrent use.
type Codec struct{ module *wasm.Module }

// Open compiles the encoder, or finds it compiled in cacheDir.
func Open(ctx context.Context, code []byte, cacheDir string) (*Codec, error) {
	module, err := wasm.Compile(ctx, code, wasm.Options{CacheDir: cacheDir, MaxMemory: maxMemory, Host: offerImports})
	if err != nil {
		return nil, fmt.Errorf("open MP3 encoder: %w", err)
	}
	return &Codec{module}, nil
}

// offerImports answers the module's note that its memory grew; wazero needs no telling.
func offerImports(ctx context.Context, r wazero.Runtime) error {
	_, err := r.NewHostModuleBuilder("env").
		NewFunctionBuilder().WithFunc(func(int32) {}).Export("emscripten_notify_memory_growth").
		Instantiate(ctx)
	return err
}

// Close ends all encoders.
func (c *Codec) Close(ctx context.Context) error { return c.module.Close(ctx) }

// Config of a stream. Input and output have the same rate.
type Config struct {
	// Rate in samples a second: 16000, 22050, 24000 (MPEG-2), 32000, 44100 or 48000 (MPEG-1).
	Rate int
	// Channels: 1, or 2 (joint stereo).
	Channels int
	// BitrateKbps: one of the format's steps, which are others for MPEG-1 and MPEG-2.
	BitrateKbps int
}

// The bit rates of layer III in kbps (ISO/IEC 11172-3 and 13818-3) that LAME offers for both.
var (
	mpeg1Kbps = []int{32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}
	mpeg2Kbps = []int{8, 16, 24, 32, 40, 48, 64, 80, 96, 112, 128, 160}
)

func (c Config) valid() bool {
	steps := mpeg2Kbps
	if c.Rate >= 32000 {
		steps = mpeg1Kbps
	}
	return slices.Contains([]int{16000, 22050, 24000, 32000, 44100, 48000}, c.Rate) &&
		(c.Channels == 1 || c.Channels == 2) && slices.Contains(steps, c.BitrateKbps)
}

// ErrConfig says that the encoder refuses a Config.
var ErrConfig = errors.New("mp3: this rate, channel count and bit rate do not go together")

// FrameSamples is the length of a frame in samples a channel (ISO/IEC 11172-3 and 13818-3,
// layer III: 1152 from 32 kHz up, 576 below).
func (c Config) FrameSamples() int {
	if c.Rate >= 32000 {
		return 1152
	}
	return 576
}

// FrameBytes is the length of a frame in bytes without the padding byte, which only rates
// that do not divide evenly need (22050 and 44100).
func (c Config) FrameBytes() int {
	return c.FrameSamples() / 8 * c.BitrateKbps * 1000 / c.Rate
}

// Delay is how many samples later a sound is heard than it was handed in: 576 of LAME's
// encoder (ENCDELAY in its sources) and 529 of every decoder's filter bank (DECDELAY).
const Delay = 576 + 529
