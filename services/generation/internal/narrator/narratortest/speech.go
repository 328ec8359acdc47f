// Package narratortest has what the tests of outside narrators share: speech to answer with, and a server that answers as a vendor does when it is
// slow, overloaded or broken.
package narratortest

import (
	"bytes"
	"encoding/binary"
	"math"
	"unicode/utf8"
)

// PCM is a voice that hums a text at 150 words a minute, as 16-bit samples with the low byte first, with a little quiet around it.
func PCM(text string, rate int) []byte {
	quiet := rate / 10
	spoken := utf8.RuneCountInString(text) * rate * 60 / (150 * 6)
	data := make([]byte, 2*(spoken+2*quiet))
	for i := range spoken {
		at := float64(i) / float64(rate)
		x := 0.25*math.Sin(2*math.Pi*140*at) + 0.1*math.Sin(2*math.Pi*700*at)
		binary.LittleEndian.PutUint16(data[2*(quiet+i):], uint16(int16(x*32000)))
	}
	return data
}

// WAV is samples as a RIFF file with that size of its data in the header: len(pcm), or what a server writes that does not know it yet.
func WAV(pcm []byte, rate int, size uint32) []byte {
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			if text, ok := v.(string); ok {
				v = []byte(text)
			}
			_ = binary.Write(&b, binary.LittleEndian, v) // a buffer takes everything
		}
	}
	put("RIFF", size+36, "WAVE", "fmt ", uint32(16), uint16(1), uint16(1), uint32(rate), uint32(2*rate), uint16(2), uint16(16))
	put("LIST", uint32(3), "abc\x00", "data", size, pcm)
	return b.Bytes()
}
