package mp3

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Frame is a frame apart from its place in a stream. Streams of one Rate and one channel can be put together of frames of
// several streams, of other bit rates too.
type Frame struct{ side, data []byte }

// ErrFrames says that a stream cannot be taken apart, or that frames do not fit into a stream.
var ErrFrames = errors.New("mp3: frames do not fit")

const (
	headerBytes = 4
	// sideBytes is the length of the side information of a mono frame of MPEG-2: where its main data begins in 8 bits, a
	// private bit, the length of the main data in 12 bits, and more (ISO/IEC 13818-3).
	sideBytes = 9
	// farthest is how many bytes before its own frame a frame's main data may begin, in the frames before it.
	farthest = 255
)

// Split takes a mono stream of MPEG-2 (Rate under 32 kHz) apart.
func Split(stream []byte, c Config) ([]Frame, error) {
	size := c.FrameBytes()
	if c.Channels != 1 || c.Rate >= 32000 || len(stream)%size != 0 {
		return nil, fmt.Errorf("%w: %d bytes of %+v", ErrFrames, len(stream), c)
	}
	var frames []Frame
	var data []byte // of all frames, each in the slot behind its side information
	for len(stream) > 0 {
		side := stream[headerBytes:][:sideBytes]
		begin := len(data) - int(side[0])
		data = append(data, stream[headerBytes+sideBytes:size]...)
		bits := int(binary.BigEndian.Uint32(side)>>11) & 0xfff
		end := begin + (bits+7)/8
		if begin < 0 || end > len(data) {
			return nil, fmt.Errorf("%w: main data of frame %d", ErrFrames, len(frames))
		}
		frames = append(frames, Frame{side: side, data: data[begin:end:end]})
		stream = stream[size:]
	}
	return frames, nil
}

// Join makes a stream of frames. A frame's main data may lie in the frames before it (the bit reservoir), as far as these
// leave room.
func Join(frames []Frame, c Config) ([]byte, error) {
	size := c.FrameBytes()
	slot := size - headerBytes - sideBytes
	data := make([]byte, len(frames)*slot)
	out := make([]byte, 0, len(frames)*size)
	end := 0
	for i, f := range frames {
		begin := max(end, i*slot-farthest)
		if end = begin + len(f.data); end > (i+1)*slot {
			return nil, fmt.Errorf("%w: frame %d", ErrFrames, i)
		}
		copy(data[begin:], f.data)
		out = append(append(out, c.header()...), f.side...)
		out[i*size+headerBytes] = byte(i*slot - begin)
		out = out[:(i+1)*size]
	}
	for i := range frames {
		copy(out[i*size+headerBytes+sideBytes:(i+1)*size], data[i*slot:])
	}
	return out, nil
}

// header of a mono frame of MPEG-2 without a check sum: layer III, bit rate and rate by their index.
func (c Config) header() []byte {
	kbps := slices.Index(mpeg2Steps, c.BitrateKbps) + 1
	rate := slices.Index([]int{22050, 24000, 16000}, c.Rate)
	return []byte{0xff, 0xf3, byte(kbps<<4 | rate<<2), 0xc0}
}

// mpeg2Steps are all bit rates of layer III in MPEG-2 in kbps, in the order of their index in the header from 1 on.
var mpeg2Steps = []int{8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}
