package listen

import (
	"bytes"
	"encoding/binary"
	"io"
	"time"

	gomp3 "github.com/hajimehoshi/go-mp3"

	"serein.app/services/generation/internal/narration/measure"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/sound/loudness"
)

// Measures of a recording as a listener gets it, decoded.
type Measures struct {
	// Loudness in LUFS, TruePeak in dBTP, Length in seconds.
	Loudness, TruePeak, Length float64
	Words                      int
	// Silences that are planned, their sum and the longest in seconds.
	Silences              int
	Silence, LongestPause float64
	// Pitch is the median of the voice in Hz, and PitchDeviation how far it moves in semitones.
	Pitch, PitchDeviation float64
}

// measureOf decodes a recording of a script, whose lines say where the voice is.
func measureOf(s recording.Script, lines []recording.Line, mp3 []byte) (Measures, error) {
	samples, rate, err := decode(mp3)
	if err != nil {
		return Measures{}, err
	}
	m := Measures{
		Loudness: loudness.Integrated(rate, samples), TruePeak: loudness.TruePeak(samples),
		Length: float64(len(samples)) / float64(rate), Words: s.Words,
	}
	var sum, longest time.Duration
	for _, p := range s.Passages {
		if p.Pause > 0 {
			m.Silences++
		}
		sum, longest = sum+p.Pause, max(longest, p.Pause)
	}
	m.Silence, m.LongestPause = sum.Seconds(), longest.Seconds()
	m.Pitch, m.PitchDeviation, _ = measure.Movement(measure.Pitch(voice(samples, rate, lines)))
	return m, nil
}

// voice is the sound of the lines alone, without the bell at the end.
func voice(samples []float32, rate int, lines []recording.Line) (spoken []float32) {
	at := func(d time.Duration) int { return min(int(d.Seconds()*float64(rate)), len(samples)) }
	for _, l := range lines {
		spoken = append(spoken, samples[at(l.Start):at(l.End)]...)
	}
	return spoken
}

// decode gives the left channel, which is all of a mono recording.
func decode(mp3 []byte) (samples []float32, rate int, err error) {
	d, err := gomp3.NewDecoder(bytes.NewReader(mp3))
	if err != nil {
		return nil, 0, err
	}
	pcm, err := io.ReadAll(d)
	if err != nil {
		return nil, 0, err
	}
	const stride = 4 // bytes of two channels of 16 bits
	for ; len(pcm) >= stride; pcm = pcm[stride:] {
		samples = append(samples, float32(int16(binary.LittleEndian.Uint16(pcm)))/32768)
	}
	return samples, d.SampleRate(), nil
}
