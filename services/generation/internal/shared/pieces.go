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
	// narratorID is the one who speaks it; empty for the default narrator.
	narratorID string
}

var (
	// Grounding is offered in place of a meditation when a title speaks of a crisis.
	Grounding = Piece{Name: "grounding", folder: "grounding", words: groundingWords}
	// Sample is what visitors hear before they decide.
	Sample = Piece{Name: "sample", folder: "sample", words: sampleWords, immersive: true}
)

// VoiceOf is a sentence by which a member chooses that narrator.
func VoiceOf(narratorID string) Piece {
	return Piece{Name: "voice of " + narratorID, folder: Sample.folder, words: voiceWords, narratorID: narratorID}
}

func (p Piece) script() recording.Script {
	var s recording.Script
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
