package brief

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"serein.app/services/generation/internal/safety"
	"serein.app/services/generation/internal/title"
)

// MaxLine is the longest line that a member writes, in characters.
const MaxLine = 600

// LineFault is why a line that a member has written is not said.
type LineFault string

// The faults of lines, in the order in which they are looked for.
const (
	// LineCrisis: it speaks of suicide, self-harm or abuse. It is no fault of the member's: they are shown where help is.
	LineCrisis LineFault = "crisis"
	// LineEmpty: there is nothing to say.
	LineEmpty LineFault = "empty"
	// LineLong: it is longer than MaxLine, or a sentence is too long for one breath.
	LineLong LineFault = "long"
	// LineProfane: it swears.
	LineProfane LineFault = "profane"
	// LineUnspeakable: it has what a narrator cannot read, such as digits, brackets or capitals throughout.
	LineUnspeakable LineFault = "unspeakable"
	// LineUnsafe: it could hurt somebody.
	LineUnsafe LineFault = "unsafe"
	// LineUnfit: it has a link or a brand, speaks of the request, or says what somebody with this title must not be told.
	LineUnfit LineFault = "unfit"
)

// Line reads what a member has written in the place of a sentence. It answers the sentences as they are said, each of which Check would
// pass by itself, or why there are none.
func (b Brief) Line(text string) (sentences []string, fault LineFault) {
	if safety.Certain(text) {
		return nil, LineCrisis
	}
	if !utf8.ValidString(text) {
		return nil, LineUnspeakable
	}
	if utf8.RuneCountInString(text) > MaxLine {
		return nil, LineLong
	}
	sentences = Sentences(text)
	if len(sentences) == 0 {
		return nil, LineEmpty
	}
	never := b.never()
	for _, s := range sentences {
		f, bad := b.judge(s, never)
		switch {
		case title.Profane(s):
			return nil, LineProfane
		case bad:
			return nil, lineFault(f, s, text)
		}
	}
	return sentences, ""
}

// lineFault is what is said of a line by its first fault. What reads titles takes much that is said in a meditation for a crisis, so it is
// asked only about a line that could hurt somebody.
func lineFault(f Fault, sentence, line string) LineFault {
	switch f.Reason { //nolint:exhaustive // those of judge
	case Unsafe:
		if safety.Classify(line).Class == safety.Crisis {
			return LineCrisis
		}
		return LineUnsafe
	case Unspeakable:
		if len(strings.Fields(sentence)) > maxSentence {
			return LineLong
		}
		return LineUnspeakable
	}
	return LineUnfit
}

var (
	// ends are the places between sentences, endings what may stand beside a sentence and is not said.
	ends    = regexp.MustCompile(`[.?!]\s+`)
	endings = " ,:-"
	// marks are several ends of one sentence.
	marks = regexp.MustCompile(`([.?!])[.?!]+`)
)

// Sentences are those of a text that a person has written, as they are said: each begins with a capital and ends with a mark.
func Sentences(text string) (all []string) {
	text = marks.ReplaceAllString(Tidied(text), "$1")
	for text != "" {
		sentence := text
		if at := ends.FindStringIndex(text); at != nil {
			sentence = text[:at[0]+1]
		}
		text = strings.TrimSpace(text[len(sentence):])
		if s := completed(sentence); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// completed gives a sentence its capital and its mark; empty where nothing is said.
func completed(sentence string) string {
	if !strings.ContainsFunc(sentence, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return strings.Trim(sentence, ".?!"+endings)
	}
	sentence = strings.Trim(sentence, endings)
	first, size := utf8.DecodeRuneInString(sentence)
	sentence = string(unicode.ToUpper(first)) + sentence[size:]
	if last := sentence[len(sentence)-1]; last == '.' || last == '?' || last == '!' {
		return sentence
	}
	return sentence + "."
}

// typography is what people and models write and narrators do not read.
var typography = strings.NewReplacer("’", "'", "‘", "'", " — ", ", ", "—", ", ", " – ", ", ", "–", "-", "‑", "-", "…", ".", "...", ".", "\u00a0", " ", ";", ",")

// Tidied is a text in the letters and marks that narrators read, as far as that changes no word, with single spaces.
func Tidied(text string) string {
	return strings.Join(strings.Fields(typography.Replace(norm.NFC.String(text))), " ")
}
