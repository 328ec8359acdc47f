// Package ambience synthesises the sounds that may lie beneath a meditation: Warm, Ocean and
// Rain, each a stereo loop without a seam. All of it is made by this code from a fixed seed;
// nothing is recorded or sampled. It does not store or serve them.
//
// The loops have no seam because they are circular from the start: noise is shaped in the
// frequency domain over exactly one period, every movement makes a whole number of cycles,
// and what reaches over the end goes on at the beginning.
package ambience

import (
	"errors"
	"fmt"
	"math"

	"serein.app/services/sound/loudness"
)

const (
	// Rate in samples a second: MP3 frames of 1152 samples are then exactly 36 ms, and what
	// the loops hold lies below the codec's limit near 15 kHz.
	Rate = 32000
	// Seconds of a loop: exactly 1250 frames, so that the codec too does the same each time
	// round; 17 MB decoded in a browser, and too long for an ear to follow.
	Seconds = 45
	// period is a loop's length in samples.
	period = Rate * Seconds
	// Loudness in LUFS of every loop: 11 LU under the narrator's -19, so that at full ambient
	// volume every consonant still stands clear of it, and it is heard on small speakers.
	Loudness = -30.0
	// Version changes whenever any loop would sound different; it belongs in a cache's key.
	Version = "1"
)

// ErrUnknownTrack says that there is no such track.
var ErrUnknownTrack = errors.New("ambience: no such track")

// Loop is one period of a track in the range -1…1: after the last sample comes the first.
type Loop struct {
	Rate        int
	Left, Right []float32
}

// Tracks lists the ids that can be rendered.
func Tracks() []string { return []string{"warm", "ocean", "rain"} }

// Render makes a track; the same track is always the same, sample for sample, on one kind of
// processor. It takes about a second of a core and 100 MB for as long.
func Render(track string) (Loop, error) {
	var l Loop
	switch track {
	case "warm":
		l = warm(newSynth(1))
	case "ocean":
		l = ocean(newSynth(2))
	case "rain":
		l = rain(newSynth(3))
	default:
		return Loop{}, fmt.Errorf("%w: %q", ErrUnknownTrack, track)
	}
	l.level()
	return l, nil
}

func newLoop() Loop {
	return Loop{Rate: Rate, Left: make([]float32, period), Right: make([]float32, period)}
}

// add lays a stereo pair under an envelope onto the loop.
func (l Loop) add(left, right []float32, envelope []float32) {
	for i, e := range envelope {
		l.Left[i] += left[i] * e
		l.Right[i] += right[i] * e
	}
}

// level brings the loop to Loudness.
func (l Loop) level() {
	gain := float32(math.Pow(10, (Loudness-loudness.Integrated(Rate, l.Left, l.Right))/20))
	for i := range l.Left {
		l.Left[i] *= gain
		l.Right[i] *= gain
	}
}
