package listen

import (
	"bytes"
	"encoding/binary"
	"io"
	"time"

	gomp3 "github.com/hajimehoshi/go-mp3"

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
}

// measure decodes a recording of a script.
func measure(s recording.Script, mp3 []byte) (Measures, error) {
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
	return m, nil
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
