package narration

import (
	"context"
	"sync"
	"time"

	"serein.app/services/generation/internal/narration/dsp"
	"serein.app/services/sound/mp3"
)

// What encoding adds at a stream's beginning and end is silence, so between two segments there would be a hole of 48 ms in
// the room's own sound. Around every seam that sound is the same, though, and nothing else sounds. So the frames there are
// made once, and stand in every segment instead of that segment's first and last frames.
const (
	// headFrames at a segment's start depend on nothing that is spoken, which begins after lead.
	headFrames = 3
	// tailFrames at its end are those that its own samples do not fill.
	tailFrames = 2
	// before and after the seam the room is encoded for these frames, in frames.
	seamBefore, seamAfter = 8, 8
	// ending is how long the room fades away at the recording's end.
	ending = 2 * time.Second
)

// quietFormat has half the format's bit rate: the frames of the room then leave more main data to the words after them than
// LAME ever keeps for those.
var quietFormat = mp3.Config{Rate: dsp.Rate, Channels: 1, BitrateKbps: 32}

// room keeps the frames around a seam.
type room struct {
	mu         sync.Mutex
	head, tail []mp3.Frame
}

// seam gives a segment's stream with the room's frames at both ends. The recording's last one ends in silence.
func (r *room) seam(ctx context.Context, codec *mp3.Codec, stream []byte, last bool) ([]byte, error) {
	head, tail, err := r.frames(ctx, codec)
	if err != nil {
		return nil, err
	}
	frames, err := mp3.Split(stream, format)
	if err != nil {
		return nil, err
	}
	copy(frames, head)
	if !last {
		copy(frames[len(frames)-tailFrames:], tail)
	}
	return mp3.Join(frames, format)
}

// frames makes those around a seam, or gives them again.
func (r *room) frames(ctx context.Context, codec *mp3.Codec) (head, tail []mp3.Frame, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.head != nil {
		return r.head, r.tail, nil
	}
	tone := make([]float32, (seamBefore+seamAfter)*frame)
	dsp.AddRoomTone(tone[:seamBefore*frame-mp3.Delay], -seamBefore*frame+mp3.Delay, 0)
	dsp.AddRoomTone(tone[seamBefore*frame-mp3.Delay:], 0, len(tone)*100)
	stream, err := codec.Stream(ctx, quietFormat, tone)
	if err != nil {
		return nil, nil, err
	}
	frames, err := mp3.Split(stream, quietFormat)
	if err != nil {
		return nil, nil, err
	}
	r.tail, r.head = frames[seamBefore-tailFrames:seamBefore], frames[seamBefore:seamBefore+headFrames]
	return r.head, r.tail, nil
}
