package faults

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// Errors of a patch that does not fit the sources any more.
var (
	errGone      = errors.New("the lines that the patch changes are not in the file any more")
	errAmbiguous = errors.New("the lines that the patch changes stand in the file more than once: it needs more lines around them")
)

// Apply gives the contents of the files that the fault changes, by their paths below root, and changes none of them. It fails if the patch
// does not fit the sources.
func (f Fault) Apply(root string) (map[string][]byte, error) {
	changed := map[string][]byte{}
	for _, file := range f.files {
		source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file.OldName)))
		if err != nil {
			return nil, fmt.Errorf("fault %s: %w", f.Name, err)
		}
		if changed[file.OldName], err = apply(file, source); err != nil {
			return nil, fmt.Errorf("fault %s: %s: %w", f.Name, file.OldName, err)
		}
	}
	return changed, nil
}

func apply(file *gitdiff.File, source []byte) ([]byte, error) {
	for _, fragment := range file.TextFragments {
		if err := locate(fragment, string(source)); err != nil {
			return nil, fmt.Errorf("at line %d: %w", fragment.OldPosition, err)
		}
	}
	var changed bytes.Buffer
	if err := gitdiff.Apply(&changed, bytes.NewReader(source), file); err != nil {
		return nil, err
	}
	return changed.Bytes(), nil
}

// locate moves a fragment to the line where its text stands now: the library takes line numbers by the word, and each edit above a
// fragment would move it.
func locate(fragment *gitdiff.TextFragment, source string) error {
	var old strings.Builder
	old.WriteByte('\n')
	for _, line := range fragment.Lines {
		if line.Old() {
			old.WriteString(line.Line)
		}
	}
	switch before, after, found := strings.Cut("\n"+source, old.String()); {
	case !found:
		return errGone
	case strings.Contains("\n"+after, old.String()):
		return errAmbiguous
	default:
		fragment.OldPosition = int64(strings.Count(before, "\n")) + 1
		return nil
	}
}

// Overlay writes the changed files into dir, and beside them the file that go's -overlay takes, whose path it gives.
func (f Fault) Overlay(root, dir string) (string, error) {
	changed, err := f.Apply(root)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for path, source := range changed {
		at := filepath.Join(dir, f.Name, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return "", err
		}
		if err := os.WriteFile(at, source, 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(root, filepath.FromSlash(path))] = at
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, f.Name+".json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}
