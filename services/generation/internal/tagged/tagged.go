// Package tagged makes a recording into a file of a member's own music library: an ID3v2.3 tag with title, narrator, date and our mark, and
// an Info frame, which tells players its exact length, stand before the sound. What is streamed has neither, since its segments are
// joined byte for byte.
//
// The tag is written here: a library for ID3 reads and edits tags of all versions, and this is one version of six frames.
package tagged

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"time"
	"unicode/utf16"
)

// Tags are what players show of a recording.
type Tags struct {
	Title, Narrator string
	// Made is the day of the recording, in UTC.
	Made time.Time
	// Length of the sound.
	Length time.Duration
}

const album = "Serein"

// Head is what stands before the sound of a recording of that many bytes. The same tags and size give the same bytes.
func Head(t Tags, sound int64) []byte {
	made := t.Made.UTC()
	var frames bytes.Buffer
	frame(&frames, "TIT2", text(t.Title))
	frame(&frames, "TPE1", text(t.Narrator))
	frame(&frames, "TALB", text(album))
	frame(&frames, "TYER", text(made.Format("2006")))
	frame(&frames, "TDAT", text(made.Format("0201")))
	frame(&frames, "TLEN", text(strconv.FormatInt(t.Length.Milliseconds(), 10)))
	frame(&frames, "APIC", picture())
	head := append([]byte("ID3\x03\x00\x00"), synchsafe(frames.Len())...)
	return append(append(head, frames.Bytes()...), info(sound)...)
}

// frame appends one frame: its name, its size and two bytes of flags, all off.
func frame(to *bytes.Buffer, name string, body []byte) {
	to.WriteString(name)
	to.Write(binary.BigEndian.AppendUint32(nil, uint32(len(body))))
	to.Write([]byte{0, 0})
	to.Write(body)
}

// text is UTF-16 with a byte order mark (encoding 1): version 2.3 knows no UTF-8, and every player reads version 2.3.
func text(s string) []byte {
	out := []byte{1, 0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(s)) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return out
}

// picture is our mark as front cover (3), without a description.
func picture() []byte {
	return append([]byte("\x00image/png\x00\x03\x00"), mark()...)
}

// synchsafe is a number of 28 bits in four bytes of seven, so that no size looks like the beginning of a frame of sound.
func synchsafe(n int) []byte {
	return []byte{byte(n >> 21 & 0x7f), byte(n >> 14 & 0x7f), byte(n >> 7 & 0x7f), byte(n & 0x7f)}
}
