package shared

import (
	_ "embed"
	"strconv"
	"strings"
	"time"

	"serein.app/services/generation/internal/recording"
)

//go:embed grounding.txt
var groundingWords string

//go:embed sample.txt
var sampleWords string

//go:embed voice.txt
var voiceWords string

// Piece is the text of a recording that the service offers to everybody.
type Piece struct {
	// Name is that of its loop.
	Name string
	// folder holds its files, and is the first part of their addresses.
	folder string
	// words are read by script; the files say how they are written.
	words string
	// immersive: it is heard with a sound beneath it, which asks for the narrator of such meditations.
	immersive bool
	// bell: it ends with the bell of meditations.
	bell bool
	// narrator speaks it; the default one where this is empty.
	narrator recording.Narrator
}

var (
	// Grounding is offered in place of a meditation when a title speaks of a crisis.
	Grounding = Piece{Name: "grounding", folder: "grounding", words: groundingWords}
	// Sample is what visitors hear before they decide.
	Sample = Piece{Name: "sample", folder: "sample", words: sampleWords, immersive: true, bell: true}
)

// VoiceOf is a sentence by which a member chooses that narrator.
func VoiceOf(n recording.Narrator) Piece {
	return Piece{Name: "voice of " + n.ID, folder: Sample.folder, words: voiceWords, narrator: n}
}

func (p Piece) script() recording.Script {
	s := recording.Script{NoBell: !p.bell}
	var sentences []string
	for line := range strings.Lines(p.words) {
		line = strings.TrimSpace(line)
		seconds, err := strconv.Atoi(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case err == nil:
			s.Passages = append(s.Passages, recording.Passage{Sentences: sentences, Pause: time.Duration(seconds) * time.Second})
			sentences = nil
		default:
			sentences = append(sentences, line)
			s.Words += len(strings.Fields(line))
		}
	}
	s.Passages = recording.ByNoMember(s.Passages)
	return s
}
