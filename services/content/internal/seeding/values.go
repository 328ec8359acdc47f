package seeding

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"

	"serein.app/services/content/internal/entry"
)

// valueOf is a field's value as entries hold it, nil for none, and what it points at. Names
// of entries ("Better Sleep") stand for their ids.
func valueOf(f entry.Field, n *yaml.Node) (value any, links []entry.Link, err error) {
	if n.Tag == "!!null" {
		return nil, nil, nil
	}
	switch f.Type {
	case entry.Array:
		return listOf(f, n)
	case entry.Object, entry.Location, entry.RichText:
		value, err = object(n)
		return value, nil, err
	default:
		return scalar(f, n)
	}
}

func scalar(f entry.Field, n *yaml.Node) (value any, links []entry.Link, err error) {
	if n.Kind != yaml.ScalarNode {
		return nil, nil, errors.New("one value is needed here")
	}
	switch f.Type {
	case entry.Integer, entry.Number:
		number, err := strconv.ParseFloat(n.Value, 64)
		if err != nil {
			return nil, nil, fmt.Errorf("%q is no number", n.Value)
		}
		return number, nil, nil
	case entry.Boolean:
		var b bool
		if err := n.Decode(&b); err != nil {
			return nil, nil, fmt.Errorf("%q is neither true nor false", n.Value)
		}
		return b, nil, nil
	case entry.LinkType:
		to := entry.Link{Kind: f.LinkType, ID: kebab(n.Value)}
		return to.Value(), []entry.Link{to}, nil
	default:
		return n.Value, nil, nil
	}
}

func listOf(f entry.Field, n *yaml.Node) (value any, links []entry.Link, err error) {
	if n.Kind != yaml.SequenceNode {
		return nil, nil, errors.New("a list is needed here")
	}
	elements := []any{}
	for _, e := range n.Content {
		v, ids, err := scalar(entry.Field{Type: f.Items.Type, LinkType: f.Items.LinkType}, e)
		if err != nil {
			return nil, nil, err
		}
		elements, links = append(elements, v), append(links, ids...)
	}
	return elements, links, nil
}

// object is YAML as JSON has it: numbers are float64, and keys are texts.
func object(n *yaml.Node) (value any, err error) {
	var decoded any
	if err := n.Decode(&decoded); err != nil {
		return nil, err
	}
	data, err := json.Marshal(decoded)
	if err != nil {
		return nil, err
	}
	return value, json.Unmarshal(data, &value)
}
