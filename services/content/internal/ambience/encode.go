package ambience

import (
	"context"
	"fmt"
	"slices"
	"time"

	"serein.app/services/sound/mp3"
)

// format of the files: 96 kbps joint stereo, of which a frame is exactly 24 ms.
var format = mp3.Config{Rate: Rate, Channels: 2, BitrateKbps: 96}

// The window of a file that repeats: exactly one period. LoopStart of the loop lies before the
// window, and twice as much after it. A decoder may or may not cut the codec's delay of 46 ms at
// the start; with a whole period of the loop after any place in the roll, the window has no
// seam in either case, and the codec is past its beginning.
const (
	LoopStart  = 720 * time.Millisecond
	LoopLength = Seconds * time.Second
)

// Encode makes the file of a loop: pre-roll, one period, post-roll; about 750 kB. It takes three
// to four seconds of a core.
func Encode(ctx context.Context, codec *mp3.Codec, l Loop) ([]byte, error) {
	encoder, err := codec.NewEncoder(ctx, format)
	if err != nil {
		return nil, err
	}
	defer func() { _ = encoder.Close(ctx) }()
	data, err := encoder.Encode(ctx, rolled(l.Left), rolled(l.Right))
	if err != nil {
		return nil, fmt.Errorf("encode ambience: %w", err)
	}
	last, err := encoder.Flush(ctx)
	if err != nil {
		return nil, fmt.Errorf("encode ambience: %w", err)
	}
	return append(data, last...), nil
}

// rolled puts the loop's end before it and its beginning after it.
func rolled(loop []float32) []float32 {
	const roll = int(LoopStart * Rate / time.Second)
	return slices.Concat(loop[len(loop)-roll:], loop, loop[:2*roll])
}
