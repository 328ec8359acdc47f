package limits

import (
	"bytes"
	"encoding/binary"

	"serein.app/services/generation/internal/narration"
)

// longestText is how many bytes in a row may look like a text in samples. Speech has that many by chance in no lifetime of a vendor.
const longestText = 64

// PCM reads signed samples of 16 bits, the low byte first. It refuses half a sample and data with another format's marks.
func PCM(data []byte, rate int) (narration.Speech, error) {
	if len(data)%2 != 0 {
		return narration.Speech{}, Break("half a sample at the end of %d bytes", len(data))
	}
	for _, mark := range []string{"RIFF", "ID3", "OggS", "fLaC"} {
		if bytes.HasPrefix(data, []byte(mark)) {
			return narration.Speech{}, Break("a file (%s) in place of samples", mark)
		}
	}
	if bytes.Contains(data, []byte("WAVEfmt ")) || hasText(data) {
		return narration.Speech{}, Break("something else among the samples")
	}
	speech := narration.Speech{Rate: rate, Samples: make([]float32, len(data)/2)}
	for i := range speech.Samples {
		speech.Samples[i] = float32(int16(binary.LittleEndian.Uint16(data[2*i:]))) / 32768
	}
	return speech, nil
}

// hasText finds a stretch of printable characters, such as an error that a server writes behind the sound.
func hasText(data []byte) bool {
	run := 0
	for _, b := range data {
		if b != '\n' && (b < ' ' || b > '~') {
			run = 0
			continue
		}
		if run++; run == longestText {
			return true
		}
	}
	return false
}

// streamed are the sizes that a server writes into a WAV header before it knows how long the sound becomes.
func streamed(size uint32) bool { return size == 0 || size >= 0x7fffff00 }

// WAV reads a RIFF file of 16-bit mono samples. It refuses one that is shorter than its header says.
func WAV(data []byte) (narration.Speech, error) {
	if len(data) < 12 || string(data[:4]) != "RIFF" || string(data[8:12]) != "WAVE" {
		return narration.Speech{}, Break("no WAV file")
	}
	rate := 0
	for data = data[12:]; len(data) >= 8; {
		id, size := string(data[:4]), binary.LittleEndian.Uint32(data[4:])
		data = data[8:]
		if id == "data" && streamed(size) {
			size = uint32(len(data))
		}
		if int64(size) > int64(len(data)) {
			return narration.Speech{}, Break("a WAV file that ends too early")
		}
		chunk := data[:size]
		data = data[min(int(size+size%2), len(data)):] // chunks begin at even places
		switch {
		case id == "fmt " && len(chunk) >= 16:
			if le := binary.LittleEndian; le.Uint16(chunk) != 1 || le.Uint16(chunk[2:]) != 1 || le.Uint16(chunk[14:]) != 16 {
				return narration.Speech{}, Break("a WAV file that has other than 16-bit mono samples")
			}
			rate = int(binary.LittleEndian.Uint32(chunk[4:]))
		case id == "data" && rate > 0:
			return PCM(chunk, rate)
		}
	}
	return narration.Speech{}, Break("a WAV file without sound")
}
