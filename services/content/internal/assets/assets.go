// Package assets keeps the files of assets in the blob store, each under the hash of its bytes, so that an address is
// that of the same bytes for ever, and removes those that no asset names any more. What a file is it finds out by what it
// holds, never by its name, and what others see of it is made by package sanitise.
package assets

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/bep/imagemeta"
	"github.com/gabriel-vasile/mimetype"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/sanitise"
	"serein.app/services/platform/errs"
)

const (
	// MaxBytes of a file.
	MaxBytes = 10 << 20
	// maxSide of a picture, in pixels: what WebP can have.
	maxSide = 16_383
	// maxName is how many characters the name of a file has, without its ending.
	maxName = 100
)

// ErrInvalid says that a file is none that can be kept.
var ErrInvalid = errs.New(errs.Invalid, errorsv1.Reason_REASON_ASSET_INVALID,
	"This must be a picture (AVIF, JPEG, PNG or WebP) or an MP3, of at most 10 MiB.").On("content")

// kind of file that is kept: its ending, and for pictures how their size is read.
type kind struct {
	ending  string
	picture imagemeta.ImageFormat
}

var kinds = map[string]kind{
	"image/avif": {".avif", imagemeta.AVIF},
	"image/jpeg": {".jpg", imagemeta.JPEG},
	"image/png":  {".png", imagemeta.PNG},
	"image/webp": {".webp", imagemeta.WebP},
	"audio/mpeg": {".mp3", 0},
}

// ErrOnItsSide says that a picture would have to be turned, and is too large or too costly for that.
var ErrOnItsSide = errs.New(errs.Invalid, errorsv1.Reason_REASON_ASSET_INVALID,
	"This picture is stored on its side and is too large for us to turn. Please turn it, save it again and upload that.").On("content")

// Make makes the file that others see: what came without places, names of devices and other tags, and pictures upright. It
// finds out what the file is, and names its address by what was made. The name is what people call it. Errors: ErrInvalid,
// ErrOnItsSide; UNAVAILABLE where many pictures are being turned.
func Make(ctx context.Context, name string, content []byte) (f entry.File, made []byte, err error) {
	if len(content) == 0 || len(content) > MaxBytes {
		return f, nil, ErrInvalid.Because(fmt.Errorf("it has %d bytes", len(content)))
	}
	f.ContentType = mimetype.Detect(content).String()
	k, known := kinds[f.ContentType]
	if !known {
		return f, nil, ErrInvalid.Because(fmt.Errorf("it is %s", f.ContentType))
	}
	if _, _, err = size(k, content); err != nil {
		return f, nil, err
	}
	made, f.ContentType, err = sanitise.File(ctx, f.ContentType, content, orientation(k, content))
	if errors.Is(err, sanitise.ErrTooLarge) {
		return f, nil, ErrOnItsSide.Because(err)
	}
	if err != nil && !errors.Is(err, sanitise.ErrBroken) { // it could not wait
		return f, nil, errs.ErrUnavailable.Because(err)
	}
	if err != nil {
		return f, nil, ErrInvalid.Because(err)
	}
	if len(made) > MaxBytes { // one that was turned can be larger than before
		return f, nil, ErrInvalid.Because(fmt.Errorf("it has %d bytes when it is turned", len(made)))
	}
	return describe(name, made, f.ContentType)
}

// size of a picture as it is shown, in pixels; 0 for other files. Errors: ErrInvalid.
func size(k kind, content []byte) (width, height int, err error) {
	if k.picture == 0 {
		return 0, 0, nil
	}
	read, err := imagemeta.Decode(imagemeta.Options{R: bytes.NewReader(content), ImageFormat: k.picture, Sources: imagemeta.CONFIG})
	if err != nil {
		return 0, 0, ErrInvalid.Because(err)
	}
	width, height = read.ImageConfig.Width, read.ImageConfig.Height
	if width < 1 || height < 1 || width > maxSide || height > maxSide {
		return 0, 0, ErrInvalid.Because(fmt.Errorf("a picture of %d by %d", width, height))
	}
	return width, height, nil
}

// orientation that EXIF tells, 1 to 8; 0 for none. What cannot be read is taken out with the rest of EXIF, and the picture is
// shown as it is stored, as browsers show it.
func orientation(k kind, content []byte) (orientation int) {
	if k.picture == 0 {
		return 0
	}
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(content), ImageFormat: k.picture, Sources: imagemeta.EXIF,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool {
			return tag.Tag == "Orientation" && strings.HasPrefix(tag.Namespace, "IFD0")
		},
		HandleTag: func(tag imagemeta.TagInfo) error {
			if turned, ok := tag.Value.(uint16); ok {
				orientation = int(turned)
			}
			return imagemeta.ErrStopWalking
		},
	})
	return orientation
}

// describe says what was made: its address, its type, and for pictures the size that is shown.
func describe(name string, made []byte, is string) (f entry.File, _ []byte, err error) {
	k := kinds[is]
	f = entry.File{FileName: safeName(name) + k.ending, ContentType: is, Size: int64(len(made))}
	sum := sha256.Sum256(made)
	f.URL = entry.AssetURL(hex.EncodeToString(sum[:]), f.FileName)
	f.Width, f.Height, err = size(k, made)
	return f, made, err
}

var unsafeSigns = regexp.MustCompile(`[^a-z0-9]+`)

// safeName is a name without its ending that can stand in any address.
func safeName(name string) string {
	name = strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	name = unsafeSigns.ReplaceAllString(name, "-")
	if name = strings.Trim(name[:min(len(name), maxName)], "-"); name == "" {
		return "file"
	}
	return name
}

// TypeOf a kept file, by its name: the name was given by what it holds.
func TypeOf(name string) string {
	for is, k := range kinds {
		if strings.HasSuffix(name, k.ending) {
			return is
		}
	}
	return "application/octet-stream"
}
