package sanitise

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/jpeg"
	"slices"
)

// Markers of JPEG (ITU-T T.81, table B.1) that are named here.
const (
	markerSOI, markerEOI, markerSOS     = 0xd8, 0xd9, 0xda
	markerSOF2, markerJPG               = 0xc2, 0xc8
	markerDNL, markerDRI                = 0xdc, 0xdd
	markerAPP0, markerAPP2, markerAPP14 = 0xe0, 0xe2, 0xee
)

const (
	// quality of a JPEG that is encoded again, of 100: no difference that a person sees.
	quality = 92
	// iccSign opens the segments of a colour profile.
	iccSign = "ICC_PROFILE\x00"
	// maxICC is what one segment holds of a profile (ICC.1, annex B.4).
	maxICC = 65_519
	// maxScans of a progressive JPEG: programs make ten or so, and each costs as much time as the picture has pixels.
	maxScans = 64
	// adobeLength is how long the segment is that says which colours Adobe's programs meant.
	adobeLength = 12
)

// jpegSegment is one segment: its marker, and all its bytes with marker, length and for SOS the coded pixels.
type jpegSegment struct {
	marker byte
	bytes  []byte
}

// payload of the segment behind its length.
func (s jpegSegment) payload() []byte { return s.bytes[min(4, len(s.bytes)):] }

// cut is the segment with the first bytes of its payload alone; nothing where there are fewer.
func (s jpegSegment) cut(length int) []byte {
	if len(s.payload()) < length {
		return nil
	}
	return append([]byte{0xff, s.marker, 0, byte(2 + length)}, s.payload()[:length]...)
}

// jpegFile keeps what is needed to show the picture, and its colour profile.
func jpegFile(ctx context.Context, content []byte, orientation int) ([]byte, error) {
	segments, err := jpegSegments(content)
	if err != nil {
		return nil, err
	}
	made := []byte{0xff, markerSOI}
	for _, s := range segments {
		made = append(made, jpegKept(s)...)
	}
	made = append(made, 0xff, markerEOI)
	if upright(orientation) {
		return made, nil
	}
	pixel := jpegPixel(segments)
	if pixel == 0 {
		return nil, ErrTooLarge
	}
	img, err := decodeTurned(ctx, made, orientation, pixel, jpeg.Decode)
	if err != nil {
		return nil, err
	}
	return encodeJPEG(img, jpegProfile(segments))
}

// jpegPixel is how many bytes a pixel takes at most while it is turned; 0 where there are too many scans. Four planes become one of red,
// green and blue first. A progressive picture is kept in coefficients of four bytes each until its last scan.
func jpegPixel(segments []jpegSegment) int64 {
	const planesAt = 5
	pixel, scans := int64(12), 0
	for _, s := range segments {
		switch frame := s.marker >= 0xc0 && s.marker <= markerSOF2; {
		case s.marker == markerSOS:
			scans++
		case frame && len(s.payload()) > planesAt:
			planes := int64(s.payload()[planesAt])
			if planes > 3 {
				pixel += 4
			}
			if s.marker == markerSOF2 {
				pixel += 4 * planes
			}
		}
	}
	if scans > maxScans {
		return 0
	}
	return pixel
}

// jpegSegments reads the segments between the beginning and the end of the picture.
func jpegSegments(content []byte) ([]jpegSegment, error) {
	if !bytes.HasPrefix(content, []byte{0xff, markerSOI}) {
		return nil, broken("no beginning", 0)
	}
	var segments []jpegSegment
	for at := 2; ; {
		for at+1 < len(content) && content[at] == 0xff && content[at+1] == 0xff {
			at++ // fill bytes
		}
		if at+2 > len(content) || content[at] != 0xff {
			return nil, broken("no marker", at)
		}
		marker := content[at+1]
		if marker == markerEOI {
			return segments, nil
		}
		if at+4 > len(content) {
			return nil, broken("no length", at)
		}
		end := at + 2 + int(binary.BigEndian.Uint16(content[at+2:]))
		if end < at+4 || end > len(content) {
			return nil, broken("a wrong length", at)
		}
		if marker == markerSOS {
			end = codedEnd(content, end)
		}
		segments = append(segments, jpegSegment{marker, content[at:end]})
		at = end
	}
}

// codedEnd is where the next marker stands behind coded pixels, in which 0xff is followed by 0 or by a restart.
func codedEnd(content []byte, at int) int {
	for ; at+1 < len(content); at++ {
		if next := content[at+1]; content[at] == 0xff && next != 0 && next != 0xff && (next < 0xd0 || next > 0xd7) {
			return at
		}
	}
	return len(content)
}

// jpegKept is what stays of a segment: tables, pixels, the profile, and what decoders need to know about the colours.
func jpegKept(s jpegSegment) []byte {
	switch m := s.marker; {
	case m == markerAPP0 && bytes.HasPrefix(s.payload(), []byte("JFIF\x00")) && len(s.payload()) >= 14:
		// 16 bytes without the preview that may follow.
		return append([]byte{0xff, markerAPP0, 0, 16}, append(slices.Clone(s.payload()[:12]), 0, 0)...)
	case m == markerAPP2 && bytes.HasPrefix(s.payload(), []byte(iccSign)):
		return s.bytes
	case m == markerAPP14 && bytes.HasPrefix(s.payload(), []byte("Adobe")):
		return s.cut(adobeLength)
	case m == markerDNL, m == markerDRI:
		return s.cut(2)
	case m == markerJPG: // reserved and never used
		return nil
	case m >= 0xc0 && m <= 0xcf, m >= markerSOS && m <= 0xdd: // frames, tables, scans
		return s.bytes
	default:
		return nil
	}
}

// jpegProfile is the colour profile, put together from its segments; nil for none.
func jpegProfile(segments []jpegSegment) []byte {
	parts := map[byte][]byte{}
	for _, s := range segments {
		if p := s.payload(); s.marker == markerAPP2 && bytes.HasPrefix(p, []byte(iccSign)) && len(p) > len(iccSign)+2 {
			parts[p[len(iccSign)]] = p[len(iccSign)+2:]
		}
	}
	var profile []byte
	for n := byte(1); n != 0 && parts[n] != nil; n++ {
		profile = append(profile, parts[n]...)
	}
	return profile
}

// encodeJPEG encodes the picture with its profile. One of CMYK is left out: what Go encodes is RGB.
func encodeJPEG(img image.Image, profile []byte) ([]byte, error) {
	var coded bytes.Buffer
	if err := jpeg.Encode(&coded, img, &jpeg.Options{Quality: quality}); err != nil {
		return nil, err
	}
	if len(profile) >= 20 && string(profile[16:20]) == "CMYK" {
		profile = nil
	}
	made := []byte{0xff, markerSOI}
	n, of := byte(0), (len(profile)+maxICC-1)/maxICC
	for part := range slices.Chunk(profile, maxICC) {
		n++
		length := 2 + len(iccSign) + 2 + len(part)
		made = append(made, 0xff, markerAPP2, byte(length>>8), byte(length))
		made = append(made, iccSign...)
		made = append(made, n, byte(of))
		made = append(made, part...)
	}
	return append(made, coded.Bytes()[2:]...), nil
}
