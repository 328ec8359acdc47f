package sanitise

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"slices"
	"strings"
)

const (
	pngSign = "\x89PNG\r\n\x1a\n"
	// pngHead is how long a PNG is with its sign and its first chunk, IHDR.
	pngHead = len(pngSign) + 12 + 13
)

// pngShown are the chunks that the picture is shown by, those of moving ones too; pngColours those that say what its colours mean.
var (
	pngShown   = strings.Fields("IHDR PLTE IDAT IEND tRNS sBIT bKGD hIST pHYs acTL fcTL fdAT")
	pngColours = strings.Fields("cHRM gAMA iCCP sRGB cICP mDCV cLLI")
)

// pngFile keeps the chunks that the picture is shown by.
func pngFile(ctx context.Context, content []byte, orientation int) ([]byte, error) {
	if !bytes.HasPrefix(content, []byte(pngSign)) {
		return nil, broken("no beginning", 0)
	}
	made, colours := []byte(pngSign), []byte(nil)
	for at, kind := len(pngSign), ""; kind != "IEND"; {
		chunk, name, err := pngChunk(content, at)
		if err != nil {
			return nil, err
		}
		kind, at = name, at+len(chunk)
		if slices.Contains(pngColours, kind) {
			colours = append(colours, chunk...)
		} else if !slices.Contains(pngShown, kind) {
			continue
		}
		made = append(made, chunk...)
	}
	if upright(orientation) {
		return made, nil
	}
	img, err := decodeTurned(ctx, made, orientation, pngPixel(made), png.Decode)
	if err != nil {
		return nil, err
	}
	return encodePNG(img, colours)
}

// pngPixel is how many bytes a pixel takes at most while it is turned: as it is decoded, the seven passes of an interlaced picture too, and
// four bytes before and after.
func pngPixel(content []byte) int64 {
	if len(content) < pngHead {
		return maxTurned
	}
	decoded := int64(4)
	if depth := content[24]; depth == 16 {
		decoded = 8
	}
	if interlaced := content[28]; interlaced == 1 {
		return 2*decoded + 8
	}
	return decoded + 8
}

// pngChunk is the chunk that stands there, whole, and its kind.
func pngChunk(content []byte, at int) (chunk []byte, kind string, err error) {
	if at+12 > len(content) {
		return nil, "", broken("no chunk", at)
	}
	size := int64(binary.BigEndian.Uint32(content[at:]))
	if size > int64(len(content)-at-12) {
		return nil, "", broken("a chunk that is cut", at)
	}
	chunk = content[at : at+12+int(size)]
	said := chunk[4 : 8+size]
	if crc32.ChecksumIEEE(said) != binary.BigEndian.Uint32(chunk[8+size:]) {
		return nil, "", broken("a wrong checksum", at)
	}
	return chunk, string(said[:4]), nil
}

// encodePNG encodes the picture, with the chunks that say what its colours mean.
func encodePNG(img image.Image, colours []byte) ([]byte, error) {
	var coded bytes.Buffer
	if err := png.Encode(&coded, img); err != nil {
		return nil, err
	}
	return slices.Insert(coded.Bytes(), pngHead, colours...), nil
}

// pngProfile is the chunk of a colour profile; nothing for none.
func pngProfile(profile []byte) []byte {
	if len(profile) == 0 {
		return nil
	}
	said := bytes.NewBufferString("iCCPicc\x00\x00")
	packed := zlib.NewWriter(said)
	_, _ = packed.Write(profile) // a buffer takes everything
	_ = packed.Close()
	chunk := binary.BigEndian.AppendUint32(nil, uint32(said.Len()-4))
	return binary.BigEndian.AppendUint32(append(chunk, said.Bytes()...), crc32.ChecksumIEEE(said.Bytes()))
}
