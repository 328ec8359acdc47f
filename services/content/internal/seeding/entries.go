package seeding

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
)

// draft is an entry that is being read, with the line of each field.
type draft struct {
	Place

	fields entry.Fields
	lines  map[string]int
	// tags and concepts that it has.
	tags, concepts []string
	// before is the number of faults before this file was read. A file that adds a fault is not applied.
	before int
}

// readDocument reads the front matter and the text below it.
func (r *reader) readDocument(s source, t entry.ContentType, file, name, text string) {
	matter, body, found := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if !found || !strings.HasPrefix(text, "---\n") {
		r.fault(file, 1, errors.New("the file must begin with its fields between two lines of three hyphens"))
		return
	}
	n := r.parse(file, 1, matter, yaml.MappingNode)
	if n == nil {
		return
	}
	d := r.read(t, file, n, 1)
	if body = strings.TrimSpace(body); body != "" {
		d.fields[s.text] = map[string]any{locale: body}
		d.lines[s.text] = strings.Count(matter, "\n") + 4
	}
	r.add(s, t, name, d)
}

// readEntry reads a mapping; above is how many lines stand before the YAML that it is part of, at its place in a list.
func (r *reader) readEntry(s source, t entry.ContentType, file, id string, n *yaml.Node, above int, at ...int) {
	d := r.read(t, file, n, above)
	if _, ordered := t.Field("order"); ordered && d.fields["order"] == nil && len(at) > 0 {
		d.fields["order"] = map[string]any{locale: float64((at[0] + 1) * 10)}
	}
	r.add(s, t, id, d)
}

func (r *reader) begin(file string, line int) draft {
	return draft{Place: Place{file, line}, fields: entry.Fields{}, lines: map[string]int{}, before: len(r.faults)}
}

func (r *reader) read(t entry.ContentType, file string, n *yaml.Node, above int) draft {
	d := r.begin(file, n.Line+above)
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if _, twice := d.lines[key.Value]; twice {
			r.fault(file, key.Line+above, fmt.Errorf("%s stands here twice", key.Value))
		}
		d.lines[key.Value] = key.Line + above
		r.set(&d, t, key.Value, value, above)
	}
	return d
}

// set gives the draft a field's value as the content type has it.
func (r *reader) set(d *draft, t entry.ContentType, field string, n *yaml.Node, above int) {
	f, ok := t.Field(field)
	if !ok && field == tagsKey {
		r.mark(d, n, above)
		return
	}
	if !ok || f.Disabled {
		r.fault(d.File, n.Line+above, fmt.Errorf("%s has no field %s that files may fill", t.Name, field))
		return
	}
	value, links, err := valueOf(f, n)
	if err != nil {
		r.fault(d.File, n.Line+above, fmt.Errorf("%s: %w", field, err))
		return
	}
	for _, to := range links {
		r.links = append(r.links, link{Place{d.File, n.Line + above}, to})
	}
	r.file(d, links)
	if value != nil && value != "" {
		d.fields[field] = map[string]any{locale: value}
	}
}

// add takes an entry that keeps all rules.
func (r *reader) add(s source, t entry.ContentType, id string, d draft) {
	for field, value := range s.fixed {
		d.fields[field] = map[string]any{locale: value}
	}
	if _, hasSlug := t.Field("slug"); hasSlug && d.fields["slug"] == nil {
		d.fields["slug"] = map[string]any{locale: id}
	}
	if !r.take(entry.Link{Kind: entry.KindEntry, ID: id}, d.Place) || len(r.faults) > d.before {
		return
	}
	var faults entry.FieldErrors
	if errors.As(t.CheckPublish(d.fields, entry.Locales{{Code: locale, Default: true}}), &faults) {
		for _, fault := range faults {
			line := d.Line
			if at, known := d.lines[fault.Field]; known {
				line = at
			}
			r.fault(d.File, line, fmt.Errorf("%s: %s", fault.Field, fault.Details))
		}
		return
	}
	r.contents.Items = append(r.contents.Items, Item{Place: d.Place, Seed: store.Seed{
		Key: entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}, ContentType: t.ID,
		Draft: entry.Draft{Fields: d.fields, Tags: d.tags, Concepts: d.concepts}, File: d.File, Hash: hash(d.says(t)),
	}})
}

// says is all that a file says of it.
func (d draft) says(t entry.ContentType) []any {
	if len(d.tags)+len(d.concepts) == 0 {
		return []any{t.ID, d.fields}
	}
	return []any{t.ID, d.fields, d.tags, d.concepts}
}

// take gives the id to the first that wants it.
func (r *reader) take(id entry.Link, at Place) bool {
	if other, twice := r.taken[id]; twice || !entry.ValidID(id.ID) {
		r.fault(at.File, at.Line, fmt.Errorf("the id %q cannot be, or is that of %s:%d", id.ID, other.File, other.Line))
		return false
	}
	r.taken[id] = at
	return true
}

// checkLinks reports links to items that do not exist. The entry is applied all the same, since the delivery API reports such links.
func (r *reader) checkLinks() {
	for _, l := range r.links {
		if _, there := r.taken[l.to]; !there {
			r.fault(l.File, l.Line, fmt.Errorf("there is no %s %s", strings.ToLower(string(l.to.Kind)), l.to.ID))
		}
	}
}

// checkNames names files that no source takes.
func (r *reader) checkNames() {
	_ = fs.WalkDir(r.files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || slices.Contains([]string{typesFile, assetsFile, tagsFile, taxonomyFile}, name) {
			return err
		}
		switch path.Ext(name) {
		case ".md", ".yaml", ".yml":
		default:
			return nil
		}
		for _, s := range sources {
			if taken, _ := path.Match(s.files, name); taken {
				return nil
			}
		}
		r.fault(name, 0, errors.New("no content type takes this file"))
		return nil
	})
}
