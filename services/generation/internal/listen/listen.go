// Package listen records every narrator, type and size for people who judge how meditations sound, and writes a page that plays the
// recordings beside their measures, and beside those of an earlier run. The service does not use it.
package listen

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recording"
)

// Piece is one recording that is made.
type Piece struct {
	Narrator recording.Narrator
	Type     Type
	Practice string
	Size     Size
}

// File is the name of a piece's recording. It is the same in each run, by which runs are compared.
func (p Piece) File() string { return p.Narrator.ID + "." + p.Type.ID + "." + p.Size.ID + ".mp3" }

// Made is a recording with its measures.
type Made struct {
	File, Narrator, Type, Practice, Size string
	Measures
}

// measuresFile is where a run keeps what it has measured, for the run that is compared with it.
const measuresFile = "measures.json"

// Studio makes recordings.
type Studio struct {
	Writer   meditation.Writer
	Recorder meditation.Recorder
	// Made is called with each recording when it is written.
	Made func(Made)
}

// Run records pieces into a folder, which it makes, and writes the page there. before is the folder of an earlier run, or empty.
func (s Studio) Run(ctx context.Context, pieces []Piece, folder, before string) error {
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	var all []Made
	for _, p := range pieces {
		made, err := s.record(ctx, p, filepath.Join(folder, p.File()))
		if err != nil {
			return fmt.Errorf("%s: %w", p.File(), err)
		}
		s.Made(made)
		all = append(all, made)
	}
	written, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, measuresFile), written, 0o600); err != nil {
		return err
	}
	return writePage(folder, before, all)
}

// The request of every piece: the same in each run, so that runs differ by the product alone.
const (
	title = "After the long meeting"
	day   = "2026-01-01"
)

// record makes one recording and measures it.
func (s Studio) record(ctx context.Context, p Piece, file string) (Made, error) {
	m := meditation.Meditation{
		UID:        uuid.Nil,
		Request:    meditation.Request{Title: title, TypeID: p.Type.ID, PracticeID: p.Practice, SizeID: p.Size.ID, Day: day},
		NarratorID: p.Narrator.ID, NarratorName: p.Narrator.Name,
		Brief: meditation.Brief{
			MinWords: p.Size.MinWords, MaxWords: p.Size.MaxWords, Breaks: p.Size.Breaks,
			Pause: time.Duration(p.Size.PauseSeconds) * time.Second, Affirmations: p.Type.Affirmations,
		},
	}
	script, err := s.Writer.Write(ctx, m)
	if err != nil {
		return Made{}, err
	}
	var sound []byte
	var lines []recording.Line
	err = s.Recorder.Record(ctx, p.Narrator.ID, script, 0, 0, func(segment recording.Segment, mp3 []byte) error {
		sound, lines = append(sound, mp3...), append(lines, segment.Lines...)
		return nil
	})
	if err != nil {
		return Made{}, err
	}
	measured, err := measureOf(script, lines, sound)
	if err != nil {
		return Made{}, err
	}
	made := Made{File: p.File(), Narrator: p.Narrator.Name, Type: p.Type.Name, Practice: p.Practice, Size: p.Size.Name, Measures: measured}
	return made, os.WriteFile(file, sound, 0o600)
}
