package tagged

import "encoding/binary"

// Frames of a recording: MPEG-2 layer III, 24 kHz, mono, 64 kbps.
const (
	frameHeader = "\xff\xf3\x84\xc4"
	frameBytes  = 192
	sideInfo    = 9 // bytes behind the header, which the Info tag leaves 0: to a decoder the frame is silence of 24 ms
)

// info is a frame without sound that tells how many frames and bytes of sound follow. "Info" says that the bit rate is constant. It names
// no delay of the codec, so that what is downloaded begins as what is streamed does.
func info(sound int64) []byte {
	const hasFrames, hasBytes = 1, 2
	out := append(make([]byte, 0, frameBytes), frameHeader...)
	out = append(out, make([]byte, sideInfo)...)
	out = append(out, "Info"...)
	out = binary.BigEndian.AppendUint32(out, hasFrames|hasBytes)
	out = binary.BigEndian.AppendUint32(out, uint32(sound/frameBytes))
	out = binary.BigEndian.AppendUint32(out, uint32(sound+frameBytes))
	return out[:frameBytes]
}
