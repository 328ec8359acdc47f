// Package sanitise makes uploaded files safe to publish. It removes from pictures and sounds what reveals places, people and
// devices (EXIF, XMP, IPTC, comments, MP3 tags, previews, bytes after the end of the file). It keeps colour profiles, since
// colours would change without them, and turns a picture that is stored on its side upright. It decides no names, sizes or
// accepted kinds, and refuses a cut or broken file.
package sanitise

import (
	"context"
	"errors"
	"fmt"
)

// maxTurned is how many bytes a picture takes at most while it is decoded and turned: 25 megapixels at the twelve bytes that most take.
// Phones make 12 megapixels.
const maxTurned = 300_000_000

var (
	// ErrBroken says that a file is cut or does not follow the rules of its format.
	ErrBroken = errors.New("the file is cut or broken")
	// ErrTooLarge says that a picture is stored on its side, and would take too much memory or time to be turned.
	ErrTooLarge = errors.New("the picture is too large to be turned")
)

// upright says whether pixels need not be turned, by the orientation that EXIF tells: 1 to 8, and 0 where it tells none.
func upright(orientation int) bool { return orientation < 2 || orientation > 8 }

// File makes the file again. The media type is one of image/avif, image/jpeg, image/png, image/webp and audio/mpeg; the
// answer names the type of what was made, which is another one where a WebP had to be turned. The orientation is what EXIF tells,
// 1 to 8, and 0 for none. Errors: ErrBroken, ErrTooLarge; those of the context, also where a picture waited too long to be turned.
func File(ctx context.Context, mediaType string, content []byte, orientation int) (made []byte, is string, err error) {
	switch mediaType {
	case "image/jpeg":
		made, err = jpegFile(ctx, content, orientation)
	case "image/png":
		made, err = pngFile(ctx, content, orientation)
	case "image/webp":
		return webpFile(ctx, content, orientation)
	case "image/avif":
		made, err = avifFile(content) // its orientation is a part of the picture, not of EXIF
	case "audio/mpeg":
		made, err = mp3File(content)
	default:
		err = fmt.Errorf("%w: %s", ErrBroken, mediaType)
	}
	return made, mediaType, err
}

// broken says where a file ends to make sense.
func broken(what string, at int) error { return fmt.Errorf("%w: %s at byte %d", ErrBroken, what, at) }
