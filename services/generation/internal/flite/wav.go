package flite

import (
	"encoding/binary"
	"errors"

	"serein.app/services/generation/internal/narration"
)

var errWAV = errors.New("flite: the command wrote no usable sound")

// parseWAV reads the 16-bit mono RIFF file that the command writes: a 12-byte head, a "fmt "
// chunk, a "data" chunk.
func parseWAV(b []byte) (narration.Speech, error) {
	if len(b) < 12 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WAVE" {
		return narration.Speech{}, errWAV
	}
	var speech narration.Speech
	for b = b[12:]; len(b) >= 8; {
		id, size := string(b[:4]), int(binary.LittleEndian.Uint32(b[4:]))
		b = b[8:]
		body := b[:min(size, len(b))]
		switch {
		case id == "fmt " && len(body) >= 16:
			if binary.LittleEndian.Uint16(body[2:]) != 1 || binary.LittleEndian.Uint16(body[14:]) != 16 {
				return narration.Speech{}, errWAV
			}
			speech.Rate = int(binary.LittleEndian.Uint32(body[4:]))
		case id == "data" && speech.Rate > 0:
			speech.Samples = samples(body)
			return speech, nil
		}
		b = b[len(body):]
	}
	return narration.Speech{}, errWAV
}

func samples(pcm []byte) []float32 {
	out := make([]float32, len(pcm)/2)
	for i := range out {
		out[i] = float32(int16(binary.LittleEndian.Uint16(pcm[2*i:]))) / 32768
	}
	return out
}
