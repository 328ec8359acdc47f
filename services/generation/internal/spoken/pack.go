package spoken

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/klauspost/compress/zstd"

	"serein.app/services/generation/internal/narration"
)

// A file is one zstd frame, with zstd's checksum, of
//
//	the sentence's key · the rate, 4 bytes · the low bytes of all differences · their high bytes
//
// A difference is what a sample differs by from the straight line through the two before it, modulo 16 bits, with its sign in
// the lowest bit. Speech takes two thirds of its 16-bit samples so. FLAC with fixed predictors takes a fortieth less, and five
// times the processor time.
//
// format is part of a sentence's key. It is raised with a change of what a file holds, or of what this process makes of a synthesiser's
// output: a release finds no file of another format, and removes those that nobody uses any more.
const format = "1"

const header = len(Key{}) + 4

const (
	// maxFile and maxSound bound a file in bytes, packed and unpacked: two minutes of speech and more.
	maxFile, maxSound = 4 << 20, 8 << 20
)

var errDamaged = errors.New("spoken: not the file of this sentence")

// pcm is speech of 16-bit samples.
type pcm struct {
	rate    int
	samples []int16
}

// toPCM answers false for speech that 16 bits do not hold exactly, and for none at all.
func toPCM(speech narration.Speech) (pcm, bool) {
	out := pcm{speech.Rate, make([]int16, len(speech.Samples))}
	for i, x := range speech.Samples {
		scaled := x * -math.MinInt16
		if scaled < math.MinInt16 || scaled > math.MaxInt16 || scaled != float32(int16(scaled)) {
			return pcm{}, false
		}
		out.samples[i] = int16(scaled)
	}
	return out, len(out.samples) > 0
}

// The coder and the decoder are safe for concurrent use. Their options are constants, so that nothing can fail here.
var (
	coder, _   = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	decoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxSound), zstd.WithDecoderLowmem(true))
)

// pack gives the sentence's file.
func pack(key Key, speech pcm) []byte {
	n := len(speech.samples)
	sound := make([]byte, header+2*n)
	copy(sound, key[:])
	binary.BigEndian.PutUint32(sound[len(key):], uint32(speech.rate))
	low, high := sound[header:header+n], sound[header+n:]
	var before, last int16
	for i, x := range speech.samples {
		d := x - (2*last - before)
		before, last = last, x
		d = d<<1 ^ d>>15
		low[i], high[i] = byte(d), byte(uint16(d)>>8)
	}
	return coder.EncodeAll(sound, nil)
}

// unpack gives the speech of pack; an error where the file is damaged, or another sentence's.
func unpack(key Key, file []byte) (narration.Speech, error) {
	sound, err := decoder.DecodeAll(file, nil)
	if err != nil {
		return narration.Speech{}, err
	}
	n := (len(sound) - header) / 2
	if n <= 0 || len(sound) != header+2*n || Key(sound[:len(key)]) != key {
		return narration.Speech{}, errDamaged
	}
	speech := narration.Speech{Rate: int(binary.BigEndian.Uint32(sound[len(key):])), Samples: make([]float32, n)}
	low, high := sound[header:header+n], sound[header+n:]
	var before, last int16
	for i := range speech.Samples {
		folded := uint16(low[i]) | uint16(high[i])<<8
		x := int16(folded>>1) ^ -int16(folded&1) + (2*last - before)
		before, last = last, x
		speech.Samples[i] = float32(x) / -math.MinInt16
	}
	return speech, nil
}
