// Package ambience synthesises the sounds that may lie beneath a meditation: Warm, Ocean and
// Rain, each a stereo loop without a seam. All of it is made by this code from a fixed seed;
// nothing is recorded or sampled. It does not store or serve them.
//
// The loops have no seam because they are circular from the start: every tone and every movement
// makes a whole number of cycles, and what reaches over the end goes on at the beginning.
package ambience

import (
	"errors"
	"fmt"
	"math"

	"serein.app/services/sound/loudness"
)

const (
	// Rate in samples a second: MP3 frames of 576 samples are then exactly 24 ms, and what the
	// loops hold lies below the codec's limit near 11 kHz.
	Rate = 24000
	// Seconds of a loop: exactly 2500 frames, so that the codec too does the same each time
	// round; 23 MB decoded in a browser, and too long for an ear to follow.
	Seconds = 60
	// period is a loop's length in samples.
	period = Rate * Seconds
	// Loudness in LUFS of every loop: 11 LU under the narrator's -19, so that at full ambient
	// volume every consonant still stands clear of it, and it is heard on small speakers.
	Loudness = -30.0
	// Version changes whenever any loop would sound different; it belongs in a cache's key.
	Version = "3"
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
// processor. It takes one to two seconds of a core, and little memory beside the loop's 12 MB.
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

// level brings the loop to Loudness, and rounds off its few highest peaks.
func (l Loop) level() {
	gain := float32(math.Pow(10, (Loudness-loudness.Integrated(Rate, l.Left, l.Right))/20))
	for i := range l.Left {
		l.Left[i] = rounded(gain * l.Left[i])
		l.Right[i] = rounded(gain * l.Right[i])
	}
}

// rounded leaves a sample as it is up to -18 dB of full scale, and bends what is above towards -15.4 dB.
func rounded(x float32) float32 {
	const knee, room = 0.126, 0.044
	over := float32(math.Abs(float64(x))) - knee
	if over <= 0 {
		return x
	}
	return float32(math.Copysign(float64(knee+room*over/(over+room)), float64(x)))
}
