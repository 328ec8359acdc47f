package seeding

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
)

// locale of the files.
const locale = "en-GB"

// Contents are what the files say.
type Contents struct {
	Types    []Type
	Tags     []Tag
	Schemes  []Scheme
	Concepts []Concept
	Items    []Item
	// Files that the assets among the items need.
	Files []File
}

// File of an asset.
type File struct {
	Name    string
	Content []byte
	Place   Place
}

// Type is a content type and where it stands.
type Type struct {
	entry.ContentType

	Place Place
	Hash  []byte
}

// Item is an entry or an asset, and where it stands.
type Item struct {
	store.Seed

	Place Place
}

// reader gathers what the files say.
type reader struct {
	files    fs.FS
	types    map[string]entry.ContentType
	contents Contents
	taken    map[entry.Link]Place
	links    []link
	faults   []error
}

// link is an entry or asset that a file points at.
type link struct {
	Place

	to entry.Link
}

// Read reads all files, and gives what is good of them and a FileError for each thing that is not.
func Read(files fs.FS) (Contents, []error) {
	r := &reader{files: files, types: map[string]entry.ContentType{}, taken: map[entry.Link]Place{}}
	r.readTypes()
	r.readTerms()
	r.readAssets()
	for _, s := range sources {
		names, err := fs.Glob(files, s.files)
		if err == nil && len(names) == 0 && !strings.Contains(s.files, "*") {
			names = []string{s.files} // is missing
		}
		for _, name := range names {
			r.readFile(s, name)
		}
	}
	r.checkLinks()
	r.checkNames()
	return r.contents, r.faults
}

func (r *reader) readFile(s source, file string) {
	data, err := fs.ReadFile(r.files, file)
	if err != nil {
		r.fault(file, 0, err)
		return
	}
	t, known := r.types[s.contentType]
	if !known {
		r.fault(file, 0, fmt.Errorf("there is no content type %s", s.contentType))
		return
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	switch name := strings.TrimSuffix(path.Base(file), path.Ext(file)); s.form {
	case document:
		r.readDocument(s, t, file, name, text)
	case single:
		if n := r.parse(file, 0, text, yaml.MappingNode); n != nil {
			r.readEntry(s, t, file, name, n, 0)
		}
	case list, lines:
		r.readSequence(s, t, file, text)
	}
}

func (r *reader) readSequence(s source, t entry.ContentType, file, text string) {
	n := r.parse(file, 0, text, yaml.SequenceNode)
	if n == nil {
		return
	}
	for i, element := range n.Content {
		if s.form == list {
			r.readElement(s, t, file, element, i)
			continue
		}
		d := r.begin(file, element.Line)
		r.set(&d, t, s.text, element, 0)
		d.fields["order"] = map[string]any{locale: float64(i)}
		r.add(s, t, fmt.Sprintf("%s-%03d", s.contentType, i), d)
	}
}

// readElement reads one of a list's, which begins with its id.
func (r *reader) readElement(s source, t entry.ContentType, file string, n *yaml.Node, at int) {
	if n.Kind != yaml.MappingNode {
		r.fault(file, n.Line, errors.New("this must be a list of fields with values"))
		return
	}
	if id := cut(n, "id"); id != nil {
		r.readEntry(s, t, file, id.Value, n, 0, at)
		return
	}
	r.fault(file, n.Line, errors.New("it needs an id"))
}

// parse reads YAML whose outermost part is of that kind.
func (r *reader) parse(file string, above int, text string, kind yaml.Kind) *yaml.Node {
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(text), &n); err != nil {
		r.faults = append(r.faults, syntax(file, above, err))
		return nil
	}
	if len(n.Content) == 0 || n.Content[0].Kind != kind {
		what := map[yaml.Kind]string{yaml.MappingNode: "fields with values", yaml.SequenceNode: "a list"}[kind]
		r.fault(file, above+1, fmt.Errorf("this must be %s", what))
		return nil
	}
	return n.Content[0]
}

func (r *reader) fault(file string, line int, err error) {
	r.faults = append(r.faults, FileError{Place{file, line}, err})
}

var notWord = regexp.MustCompile(`[^a-z0-9]+`)

// kebab makes an id of a name: "Better Sleep" is better-sleep.
func kebab(name string) string {
	return strings.Trim(notWord.ReplaceAllString(strings.ToLower(name), "-"), "-")
}

// hash is that of what a file says of one thing, whatever the way in which it says it.
func hash(says any) []byte {
	data, _ := json.Marshal(says) // of texts, numbers and maps: cannot fail
	sum := sha256.Sum256(data)
	return sum[:]
}
