package sanitise_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/content/internal/sanitise"
)

// where is what no file may tell.
const where = "GPS 51.5007,-0.1246"

func segment(marker byte, said string) []byte {
	return append([]byte{0xff, marker, byte((len(said) + 2) >> 8), byte(len(said) + 2)}, said...)
}

// photo is a JPEG of 16 by 32 whose upper left corner is white, with everything that cameras and programs write into it.
func photo(t *testing.T, profile string) []byte {
	t.Helper()
	img := image.NewYCbCr(image.Rect(0, 0, 16, 32), image.YCbCrSubsampleRatio422)
	for i := range img.Cb {
		img.Cb[i], img.Cr[i] = 128, 128
	}
	for y := range 8 {
		for x := range 8 {
			img.Y[img.YOffset(x, y)] = 255
		}
	}
	var coded bytes.Buffer
	require.NoError(t, jpeg.Encode(&coded, img, nil))
	told := slices.Concat(segment(0xe1, "Exif\x00\x00"+where), segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00"+where),
		segment(0xe2, "ICC_PROFILE\x00\x01\x01"+profile), segment(0xe2, "MPF\x00"+where), segment(0xed, "Photoshop 3.0\x00"+where), segment(0xfe, where),
		segment(0xee, "Adobe\x00\x64\x00\x00\x00\x00\x01"+where))
	return append(slices.Insert(coded.Bytes(), 2, told...), where...)
}

func TestAPictureTellsNothingAndKeepsItsColoursAndPixels(t *testing.T) {
	t.Parallel()
	profile := strings.Repeat("profile ", 20)
	taken := photo(t, profile)
	made, is, err := sanitise.File(t.Context(), "image/jpeg", taken, 0)
	require.NoError(t, err)
	require.Equal(t, "image/jpeg", is)
	require.NotContains(t, string(made), where)
	require.Contains(t, string(made), profile)
	before, err := jpeg.Decode(bytes.NewReader(taken))
	require.NoError(t, err)
	after, err := jpeg.Decode(bytes.NewReader(made))
	require.NoError(t, err)
	require.Equal(t, before, after, "not encoded again")
}

// Where the white corner of a picture is seen, by the orientation that EXIF tells: left or right, upper or lower.
func TestPictureIsUprightForEachOrientation(t *testing.T) {
	t.Parallel()
	for orientation, seen := range map[int]struct{ right, lower, side bool }{
		1: {}, 2: {right: true}, 3: {right: true, lower: true}, 4: {lower: true},
		5: {side: true}, 6: {side: true, right: true}, 7: {side: true, right: true, lower: true}, 8: {side: true, lower: true},
	} {
		profile := strings.Repeat("profile ", 20)
		made, _, err := sanitise.File(t.Context(), "image/jpeg", photo(t, profile), orientation)
		require.NoError(t, err)
		require.NotContains(t, string(made), where)
		require.Contains(t, string(made), profile, orientation)
		requireCorner(t, made, orientation, seen.right, seen.lower, seen.side)
	}
}

func requireCorner(t *testing.T, made []byte, orientation int, right, lower, side bool) {
	t.Helper()
	img, err := jpeg.Decode(bytes.NewReader(made))
	require.NoError(t, err)
	size := image.Pt(16, 32)
	if side {
		size = image.Pt(32, 16)
	}
	require.Equal(t, size, img.Bounds().Size(), orientation)
	at := image.Pt(3, 3)
	if right {
		at.X = size.X - 4
	}
	if lower {
		at.Y = size.Y - 4
	}
	for _, corner := range []image.Point{{3, 3}, {size.X - 4, 3}, {3, size.Y - 4}, {size.X - 4, size.Y - 4}} {
		white := color.GrayModel.Convert(img.At(corner.X, corner.Y)).(color.Gray).Y > 128
		require.Equal(t, corner == at, white, "orientation %d at %v", orientation, corner)
	}
}

func chunk(kind, said string) []byte {
	made := binary.BigEndian.AppendUint32(nil, uint32(len(said)))
	made = append(append(made, kind...), said...)
	return binary.BigEndian.AppendUint32(made, crc32.ChecksumIEEE(made[4:]))
}

// drawn is a PNG of 3 by 2 with one red pixel, and with all that programs write into it.
func drawn(t *testing.T) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	img.Set(0, 0, color.NRGBA{R: 255, A: 255})
	var coded bytes.Buffer
	require.NoError(t, png.Encode(&coded, img))
	told := slices.Concat(chunk("gAMA", "\x00\x00\xb1\x8f"), chunk("tEXt", "Location\x00"+where), chunk("eXIf", where), chunk("zzZz", where))
	return append(slices.Insert(coded.Bytes(), 33, told...), where...)
}

func TestAPNGTellsNothingAndIsTurned(t *testing.T) {
	t.Parallel()
	for orientation, red := range map[int]image.Point{0: {}, 6: {X: 1}} {
		made, is, err := sanitise.File(t.Context(), "image/png", drawn(t), orientation)
		require.NoError(t, err)
		require.Equal(t, "image/png", is)
		require.NotContains(t, string(made), where)
		require.Contains(t, string(made), "gAMA")
		img, err := png.Decode(bytes.NewReader(made))
		require.NoError(t, err)
		r, _, _, _ := img.At(red.X, red.Y).RGBA()
		require.EqualValues(t, 0xffff, r, orientation)
	}
}

// clearPixel is a WebP of one pixel that shines through, lossless.
const clearPixel = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="

// extended is that pixel with a head and EXIF.
func extended(t *testing.T) []byte {
	t.Helper()
	plain, err := base64.StdEncoding.DecodeString(clearPixel)
	require.NoError(t, err)
	return webpOf(part("VP8X", "\x1c\x00\x00\x00\x00\x00\x00\x00\x00\x00"), plain[12:], part("EXIF", where), part("XMP ", where))
}

// part is a chunk of a WebP.
func part(kind, said string) []byte {
	made := append([]byte(kind), binary.LittleEndian.AppendUint32(nil, uint32(len(said)))...)
	return append(append(made, said...), make([]byte, len(said)%2)...)
}

func webpOf(parts ...[]byte) []byte { return part("RIFF", "WEBP"+string(slices.Concat(parts...))) }

func TestAWebPTellsNothingAndBecomesAPNGWhereItMustBeTurned(t *testing.T) {
	t.Parallel()
	made, is, err := sanitise.File(t.Context(), "image/webp", extended(t), 0)
	require.NoError(t, err)
	require.Equal(t, "image/webp", is)
	require.NotContains(t, string(made), where)
	require.Equal(t, byte(0x10), made[20], "alpha alone")
	require.EqualValues(t, len(made)-8, binary.LittleEndian.Uint32(made[4:]))

	made, is, err = sanitise.File(t.Context(), "image/webp", extended(t), 6)
	require.NoError(t, err)
	require.Equal(t, "image/png", is)
	_, err = png.Decode(bytes.NewReader(made))
	require.NoError(t, err)
}

// moving is a WebP of one frame, which holds those chunks.
func moving(chunks ...[]byte) []byte {
	return webpOf(part("VP8X", "\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00"), part("ANIM", "\x00\x00\x00\x00\x00\x00"),
		part("ANMF", strings.Repeat("\x00", 16)+string(slices.Concat(chunks...))))
}

func TestTheFramesOfAMovingWebPTellNothing(t *testing.T) {
	t.Parallel()
	plain, err := base64.StdEncoding.DecodeString(clearPixel)
	require.NoError(t, err)
	made, _, err := sanitise.File(t.Context(), "image/webp", moving(part("EXIF", where), plain[12:], part("odd!", where)), 0)
	require.NoError(t, err)
	require.Equal(t, moving(plain[12:]), made)
	for _, frame := range []string{"", strings.Repeat("\x00", 15), strings.Repeat("\x00", 16) + "VP8L\xff\x00\x00\x00"} {
		_, _, err = sanitise.File(t.Context(), "image/webp", webpOf(part("ANMF", frame)), 0)
		require.ErrorIs(t, err, sanitise.ErrBroken, "%q", frame)
	}
}

// frame is one of an MP3 with 128 kbit/s at 44,100 Hz.
func frame(said string) []byte {
	made := make([]byte, 417)
	copy(made, "\xff\xfb\x90\x64"+said)
	return made
}

func TestASoundKeepsItsFramesAlone(t *testing.T) {
	t.Parallel()
	sound := slices.Concat(frame("one"), frame("two"), frame("three"))
	tag := append([]byte("ID3\x04\x00\x00\x00\x00\x02\x00"), make([]byte, 256)...) // 2 × 128
	copy(tag[10:], "GEOB"+where)
	copy(tag[100:], "\xff\xfb\x90\x64 looks like a frame")
	end := append([]byte("TAG"+where), make([]byte, 125-len(where))...)
	made, _, err := sanitise.File(t.Context(), "audio/mpeg", slices.Concat(tag, tag, sound, []byte("APETAGEX"+where), end), 0)
	require.NoError(t, err)
	require.Equal(t, sound, made)
	made, _, err = sanitise.File(t.Context(), "audio/mpeg", slices.Concat(sound, []byte(where), sound), 0)
	require.NoError(t, err)
	require.Equal(t, slices.Concat(sound, sound), made, "and goes on behind what is none")
}

// avif is a file of two items: pixels, and EXIF.
func avif(pixels, told string) []byte {
	box := func(kind string, said ...[]byte) []byte {
		body := slices.Concat(said...)
		return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(8+len(body))), []byte(kind), body)
	}
	infe := func(id byte, kind string) []byte {
		return box("infe", []byte{2, 0, 0, 0, 0, id, 0, 0}, []byte(kind), []byte(where+"\x00"))
	}
	build := func(data int) []byte {
		place := func(id byte, at, size int) []byte {
			made := binary.BigEndian.AppendUint32([]byte{0, id, 0, 0, 0, 1}, uint32(at))
			return binary.BigEndian.AppendUint32(made, uint32(size))
		}
		return slices.Concat(box("ftyp", []byte("avif\x00\x00\x00\x00avif")), box("meta", make([]byte, 4),
			box("hdlr", make([]byte, 8), []byte("pict"), make([]byte, 12), []byte(where+"\x00")), box("note", []byte(where)),
			box("iprp", box("ipco", box("ispe", []byte("\x00\x00\x00\x00 the size")), box("udes", make([]byte, 4), []byte("en\x00"+where)),
				box("uuid", make([]byte, 16), []byte(where)), box("free", []byte(where))), box("ipma", []byte("the links"))),
			box("iinf", []byte{0, 0, 0, 0, 0, 2}, infe(1, "av01"), infe(2, "Exif")),
			box("iloc", []byte{0, 0, 0, 0, 0x44, 0, 0, 2}, place(1, data, len(pixels)), place(2, data+len(pixels), len(told)))),
			box("free", []byte(where)), box("mdat", []byte(pixels), []byte(told), []byte(where)))
	}
	return build(len(build(0)) - len(pixels) - len(told) - len(where))
}

func TestAnAVIFKeepsItsPixelsAlone(t *testing.T) {
	t.Parallel()
	taken := avif("the pixels", where)
	made, _, err := sanitise.File(t.Context(), "image/avif", taken, 0)
	require.NoError(t, err)
	require.Len(t, made, len(taken), "places stay right")
	require.NotContains(t, string(made), where)
	for _, kept := range []string{"the pixels", "the size", "the links", "pict", "udes"} {
		require.Contains(t, string(made), kept)
	}
	_, _, err = sanitise.File(t.Context(), "image/avif", append(taken, "\x00\x00\x00\x08moov"...), 0)
	require.ErrorIs(t, err, sanitise.ErrBroken, "moving pictures")
}

func TestAFileThatIsCutIsRefused(t *testing.T) {
	t.Parallel()
	for is, whole := range map[string][]byte{"image/jpeg": photo(t, ""), "image/png": drawn(t), "image/webp": extended(t), "image/avif": avif("pixels", where)} {
		for _, length := range []int{0, 1, 11, 20, len(whole) / 3} {
			_, _, err := sanitise.File(t.Context(), is, whole[:length], 0)
			require.ErrorIs(t, err, sanitise.ErrBroken, "%s of %d bytes", is, length)
		}
	}
	_, _, err := sanitise.File(t.Context(), "audio/mpeg", frame("")[:400], 0)
	require.ErrorIs(t, err, sanitise.ErrBroken)
}

func TestAPictureTooLargeToBeTurnedIsRefusedBeforeItIsDecoded(t *testing.T) {
	t.Parallel()
	large := photo(t, "")
	frame := bytes.Index(large, []byte{0xff, 0xc0})
	binary.BigEndian.PutUint16(large[frame+5:], 5001)
	binary.BigEndian.PutUint16(large[frame+7:], 5000)
	_, _, err := sanitise.File(t.Context(), "image/jpeg", large, 6)
	require.ErrorIs(t, err, sanitise.ErrTooLarge)
	_, _, err = sanitise.File(t.Context(), "image/jpeg", large, 1)
	require.NoError(t, err, "one that is upright is not decoded")
}

// A picture of few bytes can take much memory or time while it is turned.
func TestAPictureTooCostlyToBeTurnedIsRefused(t *testing.T) {
	t.Parallel()
	picture := func(depth, interlaced string) []byte {
		return slices.Concat([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", "\x00\x00\x13\x88\x00\x00\x13\x88"+depth+"\x06\x00\x00"+interlaced), chunk("IDAT", ""), chunk("IEND", ""))
	}
	_, _, err := sanitise.File(t.Context(), "image/png", picture("\x08", "\x00"), 6)
	require.ErrorIs(t, err, sanitise.ErrBroken, "25 megapixels are decoded")
	for _, costly := range [][]byte{picture("\x10", "\x00"), picture("\x08", "\x01"), picture("\x10", "\x01")} {
		_, _, err := sanitise.File(t.Context(), "image/png", costly, 6)
		require.ErrorIs(t, err, sanitise.ErrTooLarge)
		_, _, err = sanitise.File(t.Context(), "image/png", costly, 1)
		require.NoError(t, err, "one that is upright is not decoded")
	}
	scan := slices.Concat(segment(0xda, "\x01\x01\x00\x00\x3f\x00"), []byte("pixels"))
	scans := func(count int) []byte {
		return slices.Concat([]byte("\xff\xd8"), segment(0xc2, "\x08\x00\x10\x00\x10\x01\x01\x11\x00"), bytes.Repeat(scan, count), []byte("\xff\xd9"))
	}
	_, _, err = sanitise.File(t.Context(), "image/jpeg", scans(64), 6)
	require.ErrorIs(t, err, sanitise.ErrBroken, "it has no tables")
	_, _, err = sanitise.File(t.Context(), "image/jpeg", scans(65), 6)
	require.ErrorIs(t, err, sanitise.ErrTooLarge)
	progressive := bytes.Replace(scans(1), []byte("\x08\x00\x10\x00\x10\x01"), []byte("\x08\x13\x88\x13\x88\x01"), 1)
	_, _, err = sanitise.File(t.Context(), "image/jpeg", progressive, 6)
	require.ErrorIs(t, err, sanitise.ErrTooLarge, "its coefficients are kept")
}

func TestCancelledCallerLeavesTheQueue(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := sanitise.File(ctx, "image/jpeg", photo(t, ""), 6)
	require.ErrorIs(t, err, context.Canceled)
}

func TestJPEGLosesUnreadSegments(t *testing.T) {
	t.Parallel()
	taken := slices.Concat([]byte("\xff\xd8"), segment(0xc8, where), segment(0xdd, "\x00\x08"+where), segment(0xee, "Adobe"), segment(0xda, "\x01\x01\x00\x00\x3f\x00"), []byte("pixels\xff\xd9"))
	made, _, err := sanitise.File(t.Context(), "image/jpeg", taken, 0)
	require.NoError(t, err)
	require.NotContains(t, string(made), where)
	require.Contains(t, string(made), "\xff\xdd\x00\x04\x00\x08\xff\xda", "restarts stay")
	require.Contains(t, string(made), "pixels")
}

// Many places of pixels, in parts that lie over one another and apart.
func TestPlacesThatOverlapAreAllKept(t *testing.T) {
	t.Parallel()
	taken := avif("the pixels", where)
	at := bytes.Index(taken, []byte("iloc"))
	second := at + 4 + 8 + 14 // what stands behind the first place is of EXIF: make it pixels, over half of the first
	first := binary.BigEndian.Uint32(taken[at+4+8+6:])
	require.EqualValues(t, len("the pixels"), binary.BigEndian.Uint32(taken[second-4:]))
	copy(taken[bytes.Index(taken, []byte("Exif")):], "av01")
	binary.BigEndian.PutUint32(taken[second+6:], first+4)
	binary.BigEndian.PutUint32(taken[second+10:], 6)
	made, _, err := sanitise.File(t.Context(), "image/avif", taken, 0)
	require.NoError(t, err)
	require.Contains(t, string(made), "the pixels")
	require.NotContains(t, string(made), where)
}

func TestNoBytesWhateverBringItDown(t *testing.T) {
	t.Parallel()
	seeds := map[string][]byte{"image/jpeg": photo(t, ""), "image/png": drawn(t), "image/webp": extended(t), "image/avif": avif("pixels", where), "audio/mpeg": frame("")}
	rapid.Check(t, func(t *rapid.T) {
		is := rapid.SampledFrom([]string{"image/jpeg", "image/png", "image/webp", "image/avif", "audio/mpeg"}).Draw(t, "type")
		content := slices.Clone(seeds[is])
		for range rapid.IntRange(0, 8).Draw(t, "changes") {
			content[rapid.IntRange(0, len(content)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		_, _, _ = sanitise.File(t.Context(), is, content, rapid.IntRange(0, 9).Draw(t, "orientation"))
	})
}
