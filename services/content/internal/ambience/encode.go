package ambience

import (
	"context"
	"fmt"
	"slices"
	"time"

	"serein.app/services/platform/mp3"
)

// format of the files: 96 kbps joint stereo, of which a frame is exactly 36 ms.
var format = mp3.Config{Rate: Rate, Channels: 2, BitrateKbps: 96}

// rollMs of the loop lie before and after the window that is played. A decoder may or may not
// cut the codec's delay of 35 ms at the start; with a whole period of the loop after any
// place in the roll, the window has no seam in either case, and the codec has settled.
const rollMs = 720

// File is a track as it is served.
type File struct {
	MP3 []byte
	// LoopStartMs and LoopLengthMs are the window to repeat: exactly one period.
	LoopStartMs, LoopLengthMs int
}

// Encode makes the file of a loop: pre-roll, one period, post-roll; about 570 kB.
func Encode(ctx context.Context, codec *mp3.Codec, l Loop) (File, error) {
	encoder, err := codec.NewEncoder(ctx, format)
	if err != nil {
		return File{}, err
	}
	defer func() { _ = encoder.Close(ctx) }()
	data, err := encoder.Encode(ctx, rolled(l.Left), rolled(l.Right))
	if err != nil {
		return File{}, fmt.Errorf("encode ambience: %w", err)
	}
	last, err := encoder.Flush(ctx)
	if err != nil {
		return File{}, fmt.Errorf("encode ambience: %w", err)
	}
	return File{
		MP3:          append(data, last...),
		LoopStartMs:  rollMs,
		LoopLengthMs: int(time.Duration(len(l.Left)) * time.Second / Rate / time.Millisecond),
	}, nil
}

// rolled puts the loop's end before it and its beginning after it.
func rolled(loop []float32) []float32 {
	const roll = rollMs * Rate / 1000
	return slices.Concat(loop[len(loop)-roll:], loop, loop[:2*roll])
}
