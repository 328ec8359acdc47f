package script

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"serein.app/services/generation/internal/script/topic"
)

//go:embed words
var files embed.FS

// library is all the words, by folder and file name. A practice is a folder of paths, in the order of their names.
type library struct {
	common, types, images, themes map[string]*sheet
	practices                     map[string][]*sheet
	// known are all lines that are spoken as they are written, without a title or a name.
	known map[string]bool
	// sayings name something else than their words do.
	sayings []string
	// themesIn and picturesIn find what titles speak of, and which picture they name.
	themesIn, picturesIn *topic.Index
}

// words reads the embedded files once; they never change afterwards.
var words = sync.OnceValues(load)

// Load reads the words, which takes a tenth of a second or two, so that no member's first sentence waits for it. Errors name the file and the line.
func Load() error {
	_, err := words()
	return err
}

func load() (*library, error) {
	lib := &library{practices: map[string][]*sheet{}, known: map[string]bool{}}
	for folder, into := range map[string]*map[string]*sheet{
		"common": &lib.common, "types": &lib.types, "images": &lib.images, "themes": &lib.themes,
	} {
		sheets, err := read(folder)
		if err != nil {
			return nil, err
		}
		*into = sheets
	}
	if err := lib.readPractices(); err != nil {
		return nil, err
	}
	if err := lib.readClasses(); err != nil {
		return nil, err
	}
	lib.index()
	lib.indexTitles()
	return lib, nil
}

// readPractices reads a folder for each practice.
func (lib *library) readPractices() error {
	folders, err := fs.Glob(files, "words/practices/*")
	if err != nil {
		return err
	}
	for _, folder := range folders {
		id := path.Base(folder)
		paths, err := read(path.Join("practices", id))
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(paths)) {
			if err := paths[name].isPath(); err != nil {
				return fmt.Errorf("%s/%s: %w", folder, name, err)
			}
			lib.practices[id] = append(lib.practices[id], paths[name])
		}
	}
	return nil
}

// index notes every line, so that what was spoken can be found again, and which themes are terse.
func (lib *library) index() {
	for _, theme := range lib.themes {
		theme.terse = theme.isTerse()
	}
	lib.each(func(where string, b *block) {
		whole := alwaysWhole(where)
		for i, l := range b.lines {
			b.parts |= partsNamed(l.text)
			b.hears = b.hears || asksToHear(l.text)
			b.lines[i].optional = l.optional && !whole
			if !strings.Contains(l.text, "{") {
				lib.known[l.text] = true
			}
		}
		if path.Base(where) == "eyes" {
			b.parts &^= partOf["eyes"] // what to do with them is said to everybody
		}
	})
}

// alwaysWhole says that no line of the blocks at a place is ever left out: a mind that has strayed is always brought back, a script
// ends with its last line, and a theme says nothing that hurts without what consoles.
func alwaysWhole(where string) bool {
	stage := path.Base(where)
	return stage == "wander" || stage == "keep" || strings.HasPrefix(where, "themes/")
}

// each visits every block, with the place where it stands.
func (lib *library) each(visit func(where string, b *block)) {
	for folder, sheets := range map[string]map[string]*sheet{
		"common": lib.common, "types": lib.types, "images": lib.images, "themes": lib.themes,
	} {
		for id, s := range sheets {
			s.each(folder+"/"+id, visit)
		}
	}
	for id, paths := range lib.practices {
		for _, way := range paths {
			way.each("practices/"+id+"/"+way.id, visit)
		}
	}
}

func (s *sheet) each(where string, visit func(where string, b *block)) {
	for stage, blocks := range s.stages {
		for _, b := range blocks {
			visit(where+"/"+stage, b)
		}
	}
	for _, at := range s.stations {
		for _, b := range at.blocks {
			visit(fmt.Sprintf("%s/%d %s", where, at.rank, at.name), b)
		}
	}
}

// isPath checks that a sheet can be walked.
func (s *sheet) isPath() error {
	for _, stage := range []string{"begin", "wander", "deepen"} {
		if len(s.stages[stage]) == 0 {
			return fmt.Errorf("script: a path without %q", stage)
		}
	}
	if len(s.stations) == 0 {
		return errors.New("script: a path without stations")
	}
	return s.keepsPromises()
}

func read(folder string) (map[string]*sheet, error) {
	names, err := fs.Glob(files, path.Join("words", folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	sheets := map[string]*sheet{}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s, err := parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s.id = strings.TrimSuffix(path.Base(name), ".txt")
		sheets[s.id] = s
	}
	return sheets, nil
}
