package seeding

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"go.yaml.in/yaml/v3"

	"serein.app/services/content/internal/entry"
)

// contentType is a content type as its file has it.
type contentType struct {
	ID           string        `json:"id"`
	Name         string        `json:"name"`
	Description  string        `json:"description"`
	DisplayField string        `json:"displayField"`
	Fields       []entry.Field `json:"fields"`
}

// readTypes reads the content types, without which nothing can be read.
func (r *reader) readTypes() {
	data, err := fs.ReadFile(r.files, typesFile)
	if err != nil {
		r.fault(typesFile, 0, err)
		return
	}
	n := r.parse(typesFile, 0, string(data), yaml.SequenceNode)
	if n == nil {
		return
	}
	for _, element := range n.Content {
		t, err := typeOf(element)
		if err == nil && r.types[t.ID].ID != "" {
			err = fmt.Errorf("%s stands here twice", t.ID)
		}
		if err != nil {
			r.fault(typesFile, element.Line, err)
			continue
		}
		r.types[t.ID] = t
		r.contents.Types = append(r.contents.Types, Type{
			ContentType: t, Place: Place{typesFile, element.Line}, Hash: hash([]any{t.Name, t.Description, t.DisplayField, t.Fields}),
		})
	}
}

func typeOf(n *yaml.Node) (entry.ContentType, error) {
	var c contentType
	if err := strict(n, &c); err != nil {
		return entry.ContentType{}, err
	}
	t := entry.ContentType{
		Environment: entry.Master, ID: c.ID, Name: c.Name, Description: c.Description, DisplayField: c.DisplayField, Fields: c.Fields,
	}
	return t, t.Check()
}

// strict reads YAML that has those fields and no others.
func strict(n *yaml.Node, into any) error {
	value, err := object(n)
	if err != nil {
		return err
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return errors.New(err.Error())
	}
	return nil
}
