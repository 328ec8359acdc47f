package script

import (
	"errors"
	"fmt"
	"strings"

	"serein.app/services/generation/internal/script/topic"
)

// classesFile has the names of ordinary things by what they are.
const classesFile = "words/classes.txt"

// leadsNowhere stands in the place of a class's theme where its phrases are sayings.
const leadsNowhere = "-"

func (lib *library) readClasses() error {
	text, err := files.ReadFile(classesFile)
	if err != nil {
		return err
	}
	return lib.addClasses(string(text))
}

// addClasses adds the words of each class to the theme or the picture that it leads to. Errors name the line.
func (lib *library) addClasses(text string) (err error) {
	var take func(word string)
	for n, line := range strings.Split(text, "\n") {
		mark, rest := cut(line)
		switch {
		case mark == "" || mark == "#":
			continue
		case mark == "==":
			take, err = lib.class(rest)
		case take == nil:
			err = errors.New("words before the first class")
		default:
			for _, word := range strings.Split(strings.TrimSpace(line), ", ") {
				take(word)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", classesFile, n+1, err)
		}
	}
	return nil
}

// class answers what takes a word of a class with such a head, "exercise: body".
func (lib *library) class(head string) (take func(word string), err error) {
	class, name, _ := strings.Cut(head, ": ")
	leads := lib.themes[name]
	if leads == nil {
		leads = lib.images[name]
	}
	switch {
	case name == leadsNowhere:
		return func(word string) { lib.sayings = append(lib.sayings, word) }, nil
	case leads == nil:
		return nil, fmt.Errorf("class %q leads to %q, which is no theme and no picture", class, name)
	default:
		return leads.takeOfClass, nil
	}
}

// takeOfClass makes a word of a class a weak word of the sheet, and a phrase, which seldom means anything else, a strong one.
func (s *sheet) takeOfClass(word string) {
	if len(topic.Words(word)) > 1 {
		s.keywords = append(s.keywords, word)
	} else {
		s.weak = append(s.weak, word)
	}
}
