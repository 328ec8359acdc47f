package sanitise

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"golang.org/x/image/webp"
)

const (
	// riffHead is how long a WebP's head is: RIFF, a length, WEBP.
	riffHead = 12
	// frameHead is how long the head of an animation's frame is: its place, its size, how long it stands.
	frameHead = 16
	// hasEXIF and hasXMP are flags of the chunk VP8X.
	hasEXIF, hasXMP = 0x08, 0x04
	// webpPixel is how many bytes a pixel takes at most while it is turned: what is decoded, twice, and the picture before and after.
	webpPixel = 16
)

// webpFile keeps the chunks that the picture is shown by. One that must be turned becomes a JPEG, or a PNG where something
// shines through it, since Go encodes no WebP.
func webpFile(ctx context.Context, content []byte, orientation int) (made []byte, is string, err error) {
	made, profile, err := webpChunks(content)
	if err != nil || upright(orientation) {
		return made, "image/webp", err
	}
	img, err := decodeTurned(ctx, made, orientation, webpPixel, webp.Decode)
	if err != nil {
		return nil, "", err
	}
	if seen, ok := img.(interface{ Opaque() bool }); ok && !seen.Opaque() {
		made, err = encodePNG(img, pngProfile(profile))
		return made, "image/png", err
	}
	made, err = encodeJPEG(img, profile)
	return made, "image/jpeg", err
}

// webpChunks is the file without what it tells, and its colour profile.
func webpChunks(content []byte) (made, profile []byte, err error) {
	if len(content) < riffHead || string(content[:4]) != "RIFF" || string(content[8:12]) != "WEBP" {
		return nil, nil, broken("no beginning", 0)
	}
	end := int64(binary.LittleEndian.Uint32(content[4:])) + 8
	if end > int64(len(content)) || end < riffHead {
		return nil, nil, broken("an end that is missing", len(content))
	}
	made = append(made, content[:riffHead]...)
	for at := riffHead; at < int(end); {
		chunk, body, err := webpChunk(content[:end], at)
		if err != nil {
			return nil, nil, err
		}
		at += len(chunk)
		switch string(chunk[:4]) {
		case "ICCP":
			profile = body
		case "VP8X":
			if len(body) < 10 {
				return nil, nil, broken("a head that is too short", at)
			}
			chunk = bytes.Clone(chunk)
			chunk[8] &^= hasEXIF | hasXMP
		case "ANMF":
			if chunk, err = webpFrame(body); err != nil {
				return nil, nil, err
			}
		case "VP8 ", "VP8L", "ALPH", "ANIM":
		default:
			continue
		}
		made = append(made, chunk...)
	}
	binary.LittleEndian.PutUint32(made[4:], uint32(len(made)-8))
	return made, profile, nil
}

// pictureChunks of a frame are what it is drawn from.
var pictureChunks = []string{"VP8 ", "VP8L", "ALPH"}

// webpFrame is the chunk of an animation's frame without what it tells.
func webpFrame(body []byte) ([]byte, error) {
	if len(body) < frameHead {
		return nil, broken("a frame that is too short", len(body))
	}
	made := append([]byte("ANMF\x00\x00\x00\x00"), body[:frameHead]...)
	for at := frameHead; at < len(body); {
		chunk, _, err := webpChunk(body, at)
		if err != nil {
			return nil, err
		}
		at += len(chunk)
		if slices.Contains(pictureChunks, string(chunk[:4])) {
			made = append(made, chunk...)
		}
	}
	binary.LittleEndian.PutUint32(made[4:], uint32(len(made)-8))
	return append(made, make([]byte, len(made)%2)...), nil
}

// webpChunk is the chunk that stands there, with the byte that makes it even, and what it holds.
func webpChunk(content []byte, at int) (chunk, body []byte, err error) {
	if at+8 > len(content) {
		return nil, nil, broken("no chunk", at)
	}
	size := int64(binary.LittleEndian.Uint32(content[at+4:]))
	if size > int64(len(content)-at-8) {
		return nil, nil, broken("a chunk that is cut", at)
	}
	end := min(at+8+int(size+size%2), len(content))
	return content[at:end], content[at+8 : at+8+int(size)], nil
}
