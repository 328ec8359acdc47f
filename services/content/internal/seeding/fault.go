package seeding

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Place is a line of a file; line 0 is the whole of it.
type Place struct {
	File string
	Line int
}

// FileError is something that is wrong with a file.
type FileError struct {
	Place

	Err error
}

// Error names the place as compilers do.
func (f FileError) Error() string { return fmt.Sprintf("%s:%d: %v", f.File, f.Line, f.Err) }

// Unwrap gives what is wrong.
func (f FileError) Unwrap() error { return f.Err }

var yamlLine = regexp.MustCompile(`^yaml: line (\d+): `)

// syntax is a fault of a YAML parser, which begins its sentences with a line; above is how many lines stand before
// what it has read.
func syntax(file string, above int, err error) FileError {
	said := err.Error()
	found := yamlLine.FindStringSubmatch(said)
	if found == nil {
		return FileError{Place{file, above + 1}, err}
	}
	line, _ := strconv.Atoi(found[1])
	said = said[len(found[0]):]
	if strings.HasPrefix(said, "did not find expected") {
		line++ // such lines the parser counts from 0, all others from 1
	}
	return FileError{Place{file, above + line}, errors.New(said)}
}
