package typeset

import (
	"sync"

	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/dejavu/dejavusansbold"
	"github.com/hajimehoshi/ebiten/v2/examples/resources/fonts"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// Face is a font.
type Face string

// The fonts.
const (
	Go     Face = "go"
	DejaVu Face = "dejavu"
	MPlus  Face = "mplus"
)

// Faces are all fonts, the one that is preferred first.
var Faces = []Face{Go, DejaVu, MPlus}

type files struct{ regular, bold []byte }

var filesOf = map[Face]files{
	Go:     {goregular.TTF, gobold.TTF},
	DejaVu: {dejavusans.TTF, dejavusansbold.TTF},
	MPlus:  {fonts.MPlus1pRegular_ttf, fonts.MPlus1pRegular_ttf},
}

// TTF is the font's file. M PLUS is as heavy where it is to be bold.
func (f Face) TTF(bold bool) []byte {
	if bold {
		return filesOf[f].bold
	}
	return filesOf[f].regular
}

// parsed are the fonts' files, read once: the bold one lacks a few letters that the other has.
var parsed = sync.OnceValue(func() map[Face][]*sfnt.Font {
	all := map[Face][]*sfnt.Font{}
	for face, of := range filesOf {
		for _, file := range [][]byte{of.regular, of.bold} {
			if font, err := sfnt.Parse(file); err == nil {
				all[face] = append(all[face], font)
			}
		}
	}
	return all
})

// lastLetter is the last of Unicode's first plane, at which the PDF library ends.
const lastLetter = 0xFFFF

// Has says whether the font has a glyph for a letter, regular and bold.
func (f Face) Has(r rune) bool {
	if r > lastLetter {
		return false
	}
	both := parsed()[f]
	for _, font := range both {
		if glyph, err := font.GlyphIndex(nil, r); err != nil || glyph == 0 {
			return false
		}
	}
	return len(both) == 2
}

func (f Face) hasAll(text []rune) bool {
	for _, r := range text {
		if !f.Has(r) {
			return false
		}
	}
	return true
}

// anyHas says whether a font has a letter.
func anyHas(r rune) bool {
	for _, face := range Faces {
		if face.Has(r) {
			return true
		}
	}
	return false
}
