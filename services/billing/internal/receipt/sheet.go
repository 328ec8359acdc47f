package receipt

import (
	"codeberg.org/go-pdf/fpdf"

	"serein.app/services/billing/internal/receipt/typeset"
)

const (
	margin, width = 20.0, 170.0 // in millimetres, as all measures here
	height        = 297.0
	gap           = 10.0
	column        = (width - gap) / 2
	row           = 7.0
)

// sheet is the library's document, for text of whatever letters. A font is put into it when it is first used.
type sheet struct {
	*fpdf.Fpdf
	bold   bool
	size   float64 // in points
	loaded map[string]bool
}

// style is how what comes is written.
func (s *sheet) style(bold bool, size float64) { s.bold, s.size = bold, size }

// use has the library write in a font.
func (s *sheet) use(face typeset.Face) {
	style := ""
	if s.bold {
		style = "B"
	}
	if key := string(face) + style; !s.loaded[key] {
		s.AddUTF8FontFromBytes(string(face), style, face.TTF(s.bold))
		s.loaded[key] = true
	}
	s.SetFont(string(face), style, s.size)
}

func (s *sheet) measure(face typeset.Face, text string) float64 {
	s.use(face)
	return s.GetStringWidth(text)
}

// sets says whether anything of a text can be written.
func (s *sheet) sets(text string) bool { return len(typeset.Lines(text, width, s.measure)) > 0 }

// write sets a text within a width, as many lines of that height as it needs, and goes on below.
func (s *sheet) write(x, within, high float64, text string) {
	for _, line := range typeset.Lines(text, within, s.measure) {
		s.room(high)
		s.draw(x, within, high, line, false)
		s.SetXY(margin, s.GetY()+high)
	}
}

// room begins another page where a line has no place on this one.
func (s *sheet) room(high float64) {
	if s.GetY()+high > height-margin {
		s.AddPage()
	}
}

// draw sets one line at the present height, and stays there. It stands against the right edge where it is read from there, and for figures.
func (s *sheet) draw(x, within, high float64, line typeset.Line, right bool) {
	y := s.GetY()
	if right || line.RightToLeft {
		x += within
		for _, run := range line.Runs {
			x -= s.measure(run.Face, run.Text)
		}
	}
	for _, run := range line.Runs {
		wide := s.measure(run.Face, run.Text)
		s.SetXY(x, y)
		s.CellFormat(wide, high, run.Text, "", 0, "L", false, 0, "")
		x += wide
	}
	s.SetXY(margin, y)
}

// figure is draw of a text that stands in one line against the right edge.
func (s *sheet) figure(x, within, high float64, text string) {
	for _, line := range typeset.Lines(text, width, s.measure) {
		s.draw(x, within, high, line, true)
	}
}

// rule draws a line across, at the present height: from x to the right margin.
func (s *sheet) rule(x float64) {
	s.Line(x, s.GetY(), margin+width, s.GetY())
}
