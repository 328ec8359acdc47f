package script

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// sheet is one file of words.
type sheet struct {
	// id is the file's name without its folder and ending.
	id string
	// keywords of a theme, lower case, single words or phrases; those of weak count less.
	keywords, weak []string
	// images that suit the sheet, by file name.
	images []string
	// only are the tags that must all hold for a path to be taken.
	only []string
	// stages are those of a name, stations the numbered ones of a path, both in the order of the file.
	stages   map[string][]*block
	stations []*station
	// terse says of a theme that its turns are short.
	terse bool
}

// station is a place that a path comes by; one of its blocks is spoken.
type station struct {
	rank, line int
	name       string
	blocks     []*block
}

// reader reads one file, line by line.
type reader struct {
	sheet *sheet
	// stage and at are what is being read: a named stage, or a station. Neither before the first stage.
	stage string
	at    *station
	// open is the block that is being read; nil between blocks.
	open *block
}

// parse reads a file of words; README.md explains the marks. Every error names its line.
func parse(text string) (*sheet, error) {
	r := &reader{sheet: &sheet{stages: map[string][]*block{}}}
	for n, raw := range strings.Split(text+"\n", "\n") {
		if err := r.read(n+1, raw); err != nil {
			return nil, fmt.Errorf("script: line %d: %w", n+1, err)
		}
	}
	return r.sheet, r.sheet.ranked()
}

func (r *reader) read(n int, raw string) error {
	mark, rest := cut(raw)
	started := r.stage != "" || r.at != nil
	switch {
	case mark == "":
		return r.endBlock()
	case mark == "#":
		return nil
	case mark == "==":
		return errors.Join(r.endBlock(), r.start(n, rest))
	case !started:
		return r.sheet.describe(mark, rest)
	case r.open == nil:
		r.open = &block{}
	}
	return r.open.add(mark, rest, raw)
}

// start begins a stage, or a station where it has a number.
func (r *reader) start(n int, head string) (err error) {
	r.stage, r.at = head, nil
	if head == "" {
		return errors.New("a stage without a name")
	}
	if unicode.IsDigit(rune(head[0])) {
		r.stage = ""
		r.at, err = r.sheet.addStation(n, head)
	}
	return err
}

// endBlock keeps the block that was read, if there is one.
func (r *reader) endBlock() error {
	ended := r.open
	r.open = nil
	switch {
	case ended == nil:
		return nil
	case r.at != nil:
		r.at.blocks = append(r.at.blocks, ended)
	default:
		r.sheet.stages[r.stage] = append(r.sheet.stages[r.stage], ended)
	}
	return ended.whole(r.stage)
}

// describe reads a line that speaks of the whole file.
func (s *sheet) describe(mark, rest string) error {
	switch mark {
	case "words:":
		s.keywords = append(s.keywords, strings.Split(rest, ", ")...)
	case "weak:":
		s.weak = append(s.weak, strings.Split(rest, ", ")...)
	case "images:":
		s.images = strings.Fields(rest)
	case "only:":
		s.only = strings.Fields(rest)
	default:
		return fmt.Errorf("%q before the first stage", mark)
	}
	return nil
}

// cut parts a line into its first word and the rest.
func cut(raw string) (mark, rest string) {
	mark, rest, _ = strings.Cut(strings.TrimSpace(raw), " ")
	return mark, strings.TrimSpace(rest)
}
