package assets_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/assets"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/seed"
)

// onePixel of AVIF, as libavif writes it.
const onePixel = "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQ0MAAAAABNjb2xybmNseAACAAIAAYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACVtZGF0EgAKCBgANogQEAwgMg8f8D///8WfhwB8+ErK42A="

func TestAFileIsWhatItHoldsWhateverItIsCalled(t *testing.T) {
	t.Parallel()
	gray := image.NewGray(image.Rect(0, 0, 6, 4))
	var jpg, pg bytes.Buffer
	require.NoError(t, jpeg.Encode(&jpg, gray, nil))
	require.NoError(t, png.Encode(&pg, gray))
	webp, err := seed.FS.ReadFile("assets/rain-socks.webp")
	require.NoError(t, err)
	avif, err := base64.StdEncoding.DecodeString(onePixel)
	require.NoError(t, err)
	for _, name := range []string{"libavif", "Color"} { // names of the program and of the item, which a file that others see does not tell
		avif = bytes.ReplaceAll(avif, []byte(name), make([]byte, len(name)))
	}
	for is, c := range map[string]struct {
		content       []byte
		name          string
		width, height int
	}{
		"image/jpeg": {jpg.Bytes(), "a-picture.jpg", 6, 4},
		"image/png":  {pg.Bytes(), "a-picture.png", 6, 4},
		"image/webp": {webp, "a-picture.webp", 800, 1000},
		"image/avif": {avif, "a-picture.avif", 2, 2},
		"audio/mpeg": {sound(""), "a-picture.mp3", 0, 0},
	} {
		f, made, err := assets.Make(t.Context(), "../A  Picture!.html", c.content)
		require.NoError(t, err, is)
		require.Equal(t, []any{is, c.name, c.width, c.height, int64(len(c.content))}, []any{f.ContentType, f.FileName, f.Width, f.Height, f.Size})
		require.Equal(t, c.content, made, "what tells nothing stays as it is: "+is)
		_, name, ok := entry.AssetOf(f.URL)
		require.True(t, ok)
		require.Equal(t, c.name, name)
		require.Equal(t, is, assets.TypeOf(name))
	}
}

func TestWhatCannotBeShownIsNotKept(t *testing.T) {
	t.Parallel()
	var wide bytes.Buffer
	require.NoError(t, png.Encode(&wide, image.NewGray(image.Rect(0, 0, 16_384, 1))))
	for name, content := range map[string]string{
		"nothing": "", "SVG": `<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>`, "HTML": "<!doctype html><script>x()</script>",
		"half a PNG": "\x89PNG\r\n\x1a\n\x00\x00", "GIF": "GIF89a\x01\x00\x01\x00", "too wide": wide.String(), "too much": strings.Repeat("\xff\xfb\x90\x64", 10<<18+1),
	} {
		_, _, err := assets.Make(t.Context(), "x.png", []byte(content))
		require.ErrorIs(t, err, assets.ErrInvalid, name)
	}
	f, _, err := assets.Make(t.Context(), "…", sound(""))
	require.NoError(t, err)
	require.Equal(t, "file.mp3", f.FileName)
}

// exif of a camera: orientation 6, and a position as GPS has it, which begins with the sign N.
const exif = "Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08" + "\x00\x02" +
	"\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00" + "\x88\x25\x00\x04\x00\x00\x00\x01\x00\x00\x00\x26" + "\x00\x00\x00\x00" +
	"\x00\x01" + "\x00\x01\x00\x02\x00\x00\x00\x02N\x00\x00\x00" + "\x00\x00\x00\x00"

func TestAPictureOfAPhoneIsKeptUprightAndWithoutItsPlace(t *testing.T) {
	t.Parallel()
	var taken bytes.Buffer
	require.NoError(t, jpeg.Encode(&taken, image.NewGray(image.Rect(0, 0, 6, 4)), nil))
	segment := append([]byte{0xff, 0xe1, 0, byte(2 + len(exif))}, exif...)
	f, made, err := assets.Make(t.Context(), "IMG_1.jpg", slices.Insert(taken.Bytes(), 2, segment...))
	require.NoError(t, err)
	require.NotContains(t, string(made), "Exif")
	require.Equal(t, []int{4, 6}, []int{f.Width, f.Height}, "the size as it is shown")
	shown, err := jpeg.Decode(bytes.NewReader(made))
	require.NoError(t, err)
	require.Equal(t, image.Pt(4, 6), shown.Bounds().Size())
	require.EqualValues(t, len(made), f.Size)
}
