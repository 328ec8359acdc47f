package tagged

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"sync"
)

const (
	side = 480 // pixels of the square
	unit = 10  // pixels of one of the 32 units in which the mark is drawn; it stands in the middle
)

// ground and ink are those of the app's icon.
var ground, ink = color.RGBA{0xf8, 0xf5, 0xee, 0xff}, color.RGBA{0x2c, 0x66, 0x62, 0xff}

// mark is Serein's mark as a PNG of some kilobytes: two rings and a disc, as frontend/public/icon.svg draws them.
var mark = sync.OnceValue(func() []byte {
	const shades = 32 // between ground and ink, at the edges
	palette := make(color.Palette, shades+1)
	for i := range palette {
		palette[i] = blend(float64(i) / shades)
	}
	picture := image.NewPaletted(image.Rect(0, 0, side, side), palette)
	for y := range side {
		for x := range side {
			picture.SetColorIndex(x, y, uint8(math.Round(shades*covered(x, y))))
		}
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, picture); err != nil {
		panic(err) // memory takes every byte
	}
	return out.Bytes()
})

func blend(share float64) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
	return color.RGBA{mix(ground.R, ink.R), mix(ground.G, ink.G), mix(ground.B, ink.B), 0xff}
}

// covered is how much of a pixel the mark covers, 0 to 1.
func covered(x, y int) float64 {
	const edge = (side - 32*unit) / 2
	px, py := (float64(x)+0.5-edge)/unit, (float64(y)+0.5-edge)/unit
	most := 0.0
	for _, c := range []struct{ y, from, to float64 }{{16, 13.2, 15.2}, {19, 8.4, 10.4}, {22.3, 0, 4.3}} {
		r := math.Hypot(px-16, py-c.y)
		inside := unit * math.Min(c.to-r, r-c.from)
		if c.from == 0 {
			inside = unit * (c.to - r)
		}
		most = max(most, min(1, max(0, inside+0.5)))
	}
	return most
}
