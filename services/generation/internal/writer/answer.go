package writer

import (
	"bytes"
	"encoding/json"
	"io"

	"serein.app/services/generation/internal/brief"
)

// A script comes as JSON lines, one passage a line: {"n":1,"say":["A sentence."],"more":["One that may be left out."],"rest":"short"}.
// A line is a passage that could be spoken before the next one is written. Its number keeps the model counting, and its sentences come
// apart, so that nothing has to guess where one ends. Models and self-hosted servers need no feature for it: the structured answers
// that some vendors offer are one object, which is whole only at its end, and differ from vendor to vendor.
type line struct {
	N    int      `json:"n"`
	Say  []string `json:"say"`
	More []string `json:"more,omitempty"`
	Rest string   `json:"rest"`
}

// Passage is what a model wrote between two silences.
type Passage struct {
	// Say are its sentences, and More those at its end that may be left out so that the whole has the words that are asked for.
	Say, More []string
	// Long asks for a longer silence than others after it.
	Long bool
}

const (
	restShort, restLong = "short", "long"
	// maxAnswer is the longest answer that is read, in bytes: several times the longest script.
	maxAnswer = 64 << 10
	// maxSentences of one passage.
	maxSentences = 16
)

// answer reads a model's text, piece by piece, and emits the passages as their lines end.
type answer struct {
	most int
	emit func(Passage) error
	rest []byte
	read int
	// said is how many passages stand before the answer, and count the number of the last one that was read.
	said, count int
}

// newAnswer reads the passages behind the first said ones, at most so many in all.
func newAnswer(said, most int, emit func(Passage) error) *answer {
	return &answer{most: most, emit: emit, said: said, count: said}
}

// add reads the next piece. Errors: a ModelError that is Malformed, and emit's own.
func (a *answer) add(piece string) error {
	if a.read += len(piece); a.read > maxAnswer {
		return &ModelError{Cause: Malformed, Detail: "too long"}
	}
	a.rest = append(a.rest, piece...)
	for {
		whole, rest, ended := bytes.Cut(a.rest, []byte("\n"))
		if !ended {
			return nil
		}
		a.rest = rest
		if err := a.line(whole); err != nil {
			return err
		}
	}
}

// end reads what stands behind the last end of a line. Errors: a ModelError that is Half or Malformed, and emit's own.
func (a *answer) end() error {
	last := bytes.TrimSpace(a.rest)
	a.rest = nil
	if err := a.line(last); err != nil {
		if !json.Valid(last) {
			return &ModelError{Cause: Half, Detail: "the last line is not whole"}
		}
		return err
	}
	if a.count == a.said {
		return &ModelError{Cause: Half, Detail: "empty"}
	}
	return nil
}

// line reads one line. Empty ones and the fence that models like to put around code are passed over.
func (a *answer) line(text []byte) error {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || bytes.HasPrefix(text, []byte("```")) {
		return nil
	}
	var l line
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&l); err != nil {
		return &ModelError{Cause: Malformed, Detail: "a line is no passage"}
	}
	if _, err := decoder.Token(); err != io.EOF {
		return &ModelError{Cause: Malformed, Detail: "a line goes on behind its passage"}
	}
	if bad := a.faultOf(l); bad != "" {
		return &ModelError{Cause: Malformed, Detail: bad}
	}
	a.count++
	return a.emit(Passage{Say: tidied(l.Say), More: tidied(l.More), Long: l.Rest == restLong})
}

// faultOf says what is wrong with a passage's form; empty for nothing.
func (a *answer) faultOf(l line) string {
	switch {
	case l.N != a.count+1:
		return "a passage has not the next number"
	case l.N > 2*a.most:
		return "too many passages"
	case len(l.Say) == 0 || len(l.Say)+len(l.More) > maxSentences:
		return "a passage has no sentence, or too many"
	case l.Rest != restShort && l.Rest != restLong:
		return "a silence of another kind"
	}
	return ""
}

// tidied are sentences in the letters and marks that narrators read, as far as that changes no word.
func tidied(sentences []string) []string {
	var out []string
	for _, s := range sentences {
		out = append(out, brief.Tidied(s))
	}
	return out
}
