package sanitise

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	"io"
	"time"
)

// turning lets one picture be turned at a time, so that memory is bounded however many are sent.
var turning = make(chan struct{}, 1)

// turnTime bounds waiting and decoding: a turn takes a second or two.
const turnTime = 20 * time.Second

// decodeTurned decodes a picture and turns it upright. pixel is the memory for a pixel, in bytes. Errors: ErrTooLarge, ErrBroken, the
// context's, and its DeadlineExceeded after turnTime.
func decodeTurned(ctx context.Context, content []byte, orientation int, pixel int64, decode func(io.Reader) (image.Image, error)) (image.Image, error) {
	size, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return nil, broken(err.Error(), 0)
	}
	if int64(size.Width)*int64(size.Height) > maxTurned/pixel {
		return nil, ErrTooLarge
	}
	ctx, cancel := context.WithTimeout(ctx, turnTime)
	defer cancel()
	select {
	case turning <- struct{}{}:
		defer func() { <-turning }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	img, err := decode(whileWanted{ctx, bytes.NewReader(content)})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, broken(err.Error(), 0)
	}
	return turned(img, orientation), nil
}

// whileWanted reads until its context is done: decoders take no context.
type whileWanted struct {
	ctx  context.Context //nolint:containedctx // a reader has no other way to get it
	from io.Reader
}

func (w whileWanted) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.from.Read(p)
}

// plane is one plane of pixels: size bytes a pixel, stride bytes a row.
type plane struct {
	pix                       []byte
	stride, width, height, of int
}

// source of a pixel of the turned plane, by EXIF's orientation; width and height are those before.
func source(orientation, x, y, width, height int) (sx, sy int) {
	switch orientation {
	case 2:
		return width - 1 - x, y
	case 3:
		return width - 1 - x, height - 1 - y
	case 4:
		return x, height - 1 - y
	case 5:
		return y, x
	case 6:
		return y, height - 1 - x
	case 7:
		return width - 1 - y, height - 1 - x
	case 8:
		return width - 1 - y, x
	default:
		return x, y
	}
}

// onItsSide says whether the orientation exchanges width and height.
func onItsSide(orientation int) bool { return orientation >= 5 && orientation <= 8 }

func (p plane) turned(orientation int) plane {
	to := plane{width: p.width, height: p.height, of: p.of}
	if onItsSide(orientation) {
		to.width, to.height = p.height, p.width
	}
	to.stride = to.width * to.of
	to.pix = make([]byte, to.stride*to.height)
	for y := range to.height {
		for x := range to.width {
			sx, sy := source(orientation, x, y, p.width, p.height)
			copy(to.pix[y*to.stride+x*to.of:][:to.of], p.pix[sy*p.stride+sx*p.of:])
		}
	}
	return to
}

// sideways is the ratio of a picture's colours after a quarter turn; ok is false where Go has no name for it.
func sideways(ratio image.YCbCrSubsampleRatio) (after image.YCbCrSubsampleRatio, ok bool) {
	switch ratio {
	case image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio420:
		return ratio, true
	case image.YCbCrSubsampleRatio422:
		return image.YCbCrSubsampleRatio440, true
	case image.YCbCrSubsampleRatio440:
		return image.YCbCrSubsampleRatio422, true
	default:
		return ratio, false
	}
}

// turned is the picture upright. Pictures of cameras stay in their own colour space.
func turned(img image.Image, orientation int) image.Image {
	switch src := img.(type) {
	case *image.YCbCr:
		if after, ok := sideways(src.SubsampleRatio); ok {
			return turnedYCbCr(src, orientation, after)
		}
	case *image.Gray:
		to := plane{src.Pix, src.Stride, src.Rect.Dx(), src.Rect.Dy(), 1}.turned(orientation)
		return &image.Gray{Pix: to.pix, Stride: to.stride, Rect: image.Rect(0, 0, to.width, to.height)}
	}
	whole := image.NewNRGBA(image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()))
	draw.Draw(whole, whole.Rect, img, img.Bounds().Min, draw.Src)
	to := plane{whole.Pix, whole.Stride, whole.Rect.Dx(), whole.Rect.Dy(), 4}.turned(orientation)
	return &image.NRGBA{Pix: to.pix, Stride: to.stride, Rect: image.Rect(0, 0, to.width, to.height)}
}

func turnedYCbCr(src *image.YCbCr, orientation int, after image.YCbCrSubsampleRatio) image.Image {
	width, height := src.Rect.Dx(), src.Rect.Dy()
	colours := image.NewYCbCr(image.Rect(0, 0, width, height), src.SubsampleRatio)
	cw, ch := colours.CStride, len(colours.Cb)/max(colours.CStride, 1)
	y := plane{src.Y, src.YStride, width, height, 1}.turned(orientation)
	cb := plane{src.Cb, src.CStride, cw, ch, 1}.turned(orientation)
	cr := plane{src.Cr, src.CStride, cw, ch, 1}.turned(orientation)
	to := &image.YCbCr{
		Y: y.pix, Cb: cb.pix, Cr: cr.pix, YStride: y.stride, CStride: cb.stride,
		SubsampleRatio: src.SubsampleRatio, Rect: image.Rect(0, 0, y.width, y.height),
	}
	if onItsSide(orientation) {
		to.SubsampleRatio = after
	}
	return to
}
