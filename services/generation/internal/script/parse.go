package script

import (
	"fmt"
	"strings"
)

// sheet is one file of words.
type sheet struct {
	// keywords of a theme, lower case, single words or phrases.
	keywords []string
	// images that suit the sheet, by file name.
	images []string
	stages map[string][]*block
}

// block is a few sentences that belong together. The optional ones are taken from the top down.
type block struct {
	lines []line
	// needs are the tags that must all hold, sets those that hold from here on, kinds what the block
	// is about that some titles are spared.
	needs, sets, kinds []string
	// long asks for a long silence after the block.
	long bool
}

type line struct {
	text     string
	optional bool
}

// parse reads a file of words; README.md explains the marks.
func parse(text string) (*sheet, error) {
	s := &sheet{stages: map[string][]*block{}}
	stage, open := "", (*block)(nil)
	for n, raw := range strings.Split(text, "\n") {
		mark, rest := cut(raw)
		switch {
		case mark == "":
			open = nil
		case mark == "#":
		case mark == "==":
			stage, open = rest, nil
		case mark == "words:":
			s.keywords = strings.Split(rest, ", ")
		case mark == "images:":
			s.images = strings.Fields(rest)
		case stage == "":
			return nil, fmt.Errorf("script: line %d: words before the first stage", n+1)
		default:
			if open == nil {
				open = &block{}
				s.stages[stage] = append(s.stages[stage], open)
			}
			if err := open.add(mark, rest, raw); err != nil {
				return nil, fmt.Errorf("script: line %d: %w", n+1, err)
			}
		}
	}
	return s, nil
}

// cut parts a line into its first word and the rest.
func cut(raw string) (mark, rest string) {
	mark, rest, _ = strings.Cut(strings.TrimSpace(raw), " ")
	return mark, strings.TrimSpace(rest)
}

func (b *block) add(mark, rest, raw string) error {
	switch mark {
	case "+":
		b.lines = append(b.lines, line{text: rest, optional: true})
	case "@":
		b.needs = append(b.needs, strings.Fields(rest)...)
	case "!":
		b.sets = append(b.sets, strings.Fields(rest)...)
	case "%":
		b.kinds = append(b.kinds, strings.Fields(rest)...)
	case "~":
		if rest != "long" {
			return fmt.Errorf("unknown silence %q", rest)
		}
		b.long = true
	default:
		b.lines = append(b.lines, line{text: strings.TrimSpace(raw)})
	}
	return nil
}
