package script

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxBreaths is how many breaths the words may ask the listener to take in one silence.
const maxBreaths = 3

// block is a few sentences that belong together. The optional ones are taken from the top down.
type block struct {
	lines []line
	// needs are the tags that must all hold, kinds what the block is about that some titles are spared.
	needs, kinds []string
	// long asks for a long silence after the block, breaths for the time of so many breaths.
	long    bool
	breaths int
	// parts of the body that its lines name, see partsNamed.
	parts uint32
	// hears says that the block speaks of silence or of what is to be heard.
	hears bool
	// crowded says that its comparisons stand too close in every way that it can be spoken; it never is.
	crowded bool
}

type line struct {
	text     string
	optional bool
	// simile says that the line compares; see simile.go.
	simile bool
	// told says that the member has been told it lately.
	told bool
}

// descriptions are the marks that stand before the first stage.
var descriptions = []string{"words:", "weak:", "images:", "only:"}

// add reads a line of the block.
func (b *block) add(mark, rest, raw string) error {
	first, _ := utf8.DecodeRuneInString(mark)
	switch {
	case mark == "+":
		b.lines = append(b.lines, newLine(rest, true))
	case mark == "@":
		b.needs = append(b.needs, strings.Fields(rest)...)
	case mark == "%":
		b.kinds = append(b.kinds, strings.Fields(rest)...)
	case mark == "~":
		return b.silence(rest)
	case !unicode.IsLetter(first) && first != '{' || slices.Contains(descriptions, mark):
		return fmt.Errorf("unknown mark %q", mark)
	default:
		b.lines = append(b.lines, newLine(strings.TrimSpace(raw), false))
	}
	return nil
}

func newLine(text string, optional bool) line {
	return line{text: text, optional: optional, simile: simile(text)}
}

// silence reads what the block asks for after it: "long", or "breaths" and their number.
func (b *block) silence(asked string) error {
	if b.asks() {
		return errors.New("a block has one silence")
	}
	number, isBreaths := strings.CutPrefix(asked, "breaths ")
	n, err := strconv.Atoi(number)
	switch {
	case asked == "long":
		b.long = true
	case isBreaths && err == nil && n >= 1 && n <= maxBreaths:
		b.breaths = n
	default:
		return fmt.Errorf("unknown silence %q", asked)
	}
	return nil
}

// asks says that the block asks for time after it, and so ends its passage.
func (b *block) asks() bool { return b.long || b.breaths > 0 }

// whole checks and completes a block that has been read.
func (b *block) whole(stage string) error {
	if len(b.lines) == 0 {
		return errors.New("a block without a sentence ends here")
	}
	fresh := states{similesApart: true}
	b.crowded = fresh.behind(newPiece(b.lines, b.breaths > 0, false)).none()
	if stage == "affirm" && len(b.lines) != affirmationsPerType {
		return fmt.Errorf("a set of %d affirmations ends here, not of %d", len(b.lines), affirmationsPerType)
	}
	return nil
}
