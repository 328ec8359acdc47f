// Package assets keeps the files of assets in the blob store, each under the hash of its bytes, so that an address is
// that of the same bytes for ever, and removes those that no asset names any more. What a file is it finds out by what it
// holds, never by its name.
package assets

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/bep/imagemeta"
	"github.com/gabriel-vasile/mimetype"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/errs"
)

const (
	// MaxBytes of a file.
	MaxBytes = 10 << 20
	// mostSide of a picture, in pixels: what WebP can have.
	mostSide = 16_383
	// mostName is how many characters the name of a file has, without its ending.
	mostName = 100
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

// Describe finds out what the file is, and names its address. The name is what people call it. Errors: ErrInvalid.
func Describe(name string, content []byte) (entry.File, error) {
	if len(content) == 0 || len(content) > MaxBytes {
		return entry.File{}, ErrInvalid.Because(fmt.Errorf("it has %d bytes", len(content)))
	}
	is := mimetype.Detect(content).String()
	k, known := kinds[is]
	if !known {
		return entry.File{}, ErrInvalid.Because(fmt.Errorf("it is %s", is))
	}
	f := entry.File{FileName: safeName(name) + k.ending, ContentType: is, Size: int64(len(content))}
	sum := sha256.Sum256(content)
	f.URL = entry.AssetURL(hex.EncodeToString(sum[:]), f.FileName)
	if k.picture == 0 {
		return f, nil
	}
	read, err := imagemeta.Decode(imagemeta.Options{R: bytes.NewReader(content), ImageFormat: k.picture, Sources: imagemeta.CONFIG})
	if err != nil {
		return entry.File{}, ErrInvalid.Because(err)
	}
	f.Width, f.Height = read.ImageConfig.Width, read.ImageConfig.Height
	if f.Width < 1 || f.Height < 1 || f.Width > mostSide || f.Height > mostSide {
		return entry.File{}, ErrInvalid.Because(fmt.Errorf("a picture of %d by %d", f.Width, f.Height))
	}
	return f, nil
}

var unsafeSigns = regexp.MustCompile(`[^a-z0-9]+`)

// safeName is a name without its ending that can stand in any address.
func safeName(name string) string {
	name = strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	name = unsafeSigns.ReplaceAllString(name, "-")
	if name = strings.Trim(name[:min(len(name), mostName)], "-"); name == "" {
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
