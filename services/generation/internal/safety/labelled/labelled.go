// Package labelled reads the labelled titles in testdata of package safety, for its tests and for the
// command that trains its classifier. It knows how the files are written and nothing of what the
// labels lead to.
package labelled

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"serein.app/services/generation/internal/safety"
)

// Trap labels ordinary titles made of words that elsewhere name pain or danger.
const Trap = "trap"

// ErrLine is the refusal of a line that is not a known label, a tab and a title.
var ErrLine = errors.New("labelled: not a label, a tab and a title")

// Title is one line of a file.
type Title struct {
	// Label is a class other than heavy, or Trap. Class is the class that it stands for.
	Label string
	Class safety.Class
	Text  string
	// File is the name of the file that it stands in.
	File string
}

// Read reads the titles of all .tsv files, in the order of their names.
func Read(files fs.FS) (all []Title, err error) {
	names, err := fs.Glob(files, "*.tsv")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			title, err := parse(strings.TrimSuffix(line, "\n"))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			title.File = name
			all = append(all, title)
		}
	}
	return all, nil
}

func parse(line string) (Title, error) {
	label, text, ok := strings.Cut(line, "\t")
	class := safety.Class(label)
	if label == Trap {
		class = safety.Ordinary
	}
	if !ok || !slices.Contains(safety.Learnt, class) {
		return Title{}, fmt.Errorf("%w: %q", ErrLine, line)
	}
	return Title{Label: label, Class: class, Text: text}, nil
}
