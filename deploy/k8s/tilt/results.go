package tilt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"sigs.k8s.io/yaml"

	"serein.app/deploy/k8s/check"
)

// object is what a Tiltfile knows of an object of Kubernetes.
type object struct {
	Kind     string
	Metadata struct{ Name string }
	Items    []object // of a List
}

// fragment is how k8s_resource names it.
func (o object) fragment() string { return strings.ToLower(o.Metadata.Name + ":" + o.Kind) }

// result is what a call gives to the Tiltfile.
func (p *Plan) result(f function, c Call) (starlark.Value, error) {
	switch {
	case f.name == "k8s_yaml":
		return starlark.None, p.apply(c)
	case f.name == "fail":
		return nil, errors.New(c.text("msg"))
	case f.gives == "":
		return starlark.None, nil
	case f.gives == "value":
		return value{c}, nil
	}
	give := results[f.name]
	if give == nil {
		return nil, fmt.Errorf("%s: results.go does not say what it gives", f.name)
	}
	return give(p, c)
}

// results are what functions give. Others may be called only for what they do.
var results = map[string]func(*Plan, Call) (starlark.Value, error){
	"kustomize":          (*Plan).kustomize,
	"local":              (*Plan).local,
	"blob":               func(_ *Plan, c Call) (starlark.Value, error) { return blob(c.text("contents")), nil },
	"read_file":          (*Plan).readFile,
	"decode_yaml":        func(_ *Plan, c Call) (starlark.Value, error) { return decoded(document(c, "yaml")) },
	"decode_json":        func(_ *Plan, c Call) (starlark.Value, error) { return decoded(document(c, "json")) },
	"decode_yaml_stream": decodeStream,
	"k8s_context":        func(*Plan, Call) (starlark.Value, error) { return starlark.String("kind-serein"), nil },
	"k8s_namespace":      func(*Plan, Call) (starlark.Value, error) { return starlark.String("default"), nil },
	"config.parse":       func(*Plan, Call) (starlark.Value, error) { return starlark.NewDict(0), nil },
	"os.getcwd":          func(p *Plan, _ Call) (starlark.Value, error) { return starlark.String(p.world.Root), nil },
	"os.path.exists": func(p *Plan, c Call) (starlark.Value, error) {
		_, err := os.Stat(p.path(c.text("path")))
		return starlark.Bool(err == nil), nil
	},
	"os.path.basename": func(_ *Plan, c Call) (starlark.Value, error) { return starlark.String(path.Base(c.text("path"))), nil },
	"os.path.dirname":  func(_ *Plan, c Call) (starlark.Value, error) { return starlark.String(path.Dir(c.text("path"))), nil },
}

// kustomize renders a folder of manifests.
func (p *Plan) kustomize(c Call) (starlark.Value, error) {
	folder, err := filepath.Rel(check.Folder, c.text("pathToDir"))
	if err != nil {
		return nil, err
	}
	if p.installation, err = p.world.Overlay(folder); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	for _, o := range p.installation.Objects {
		document, err := yaml.Marshal(o)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&text, "---\n%s", document)
	}
	return blob(text.String()), nil
}

// local runs no command: it asks what it prints. A folder that it makes exists from then on.
func (p *Plan) local(c Call) (starlark.Value, error) {
	command := c.list("command")
	if len(command) > 1 && command[0] == "mkdir" {
		p.made = append(p.made, slices.DeleteFunc(slices.Clone(command[1:]), func(word string) bool { return strings.HasPrefix(word, "-") })...)
		return blob(""), nil
	}
	printed, err := p.world.Prints(command)
	return blob(printed), err
}

func (p *Plan) readFile(c Call) (starlark.Value, error) {
	text, err := os.ReadFile(p.path(c.text("file_path")))
	return blob(text), err
}

// document is an argument that is a string or a blob.
func document(c Call, name string) string {
	if text, ok := c.Args[name].(blob); ok {
		return string(text)
	}
	return c.text(name)
}

// documents are those of a stream of YAML.
func documents(stream string) (found []string) {
	for _, one := range strings.Split("\n"+stream, "\n---\n") {
		if strings.TrimSpace(one) != "" {
			found = append(found, one)
		}
	}
	return found
}

func decodeStream(_ *Plan, c Call) (starlark.Value, error) {
	list := starlark.NewList(nil)
	for _, one := range documents(document(c, "yaml")) {
		v, err := decoded(one)
		if err != nil {
			return nil, err
		}
		if err := list.Append(v); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// decoded is a document of YAML, or of JSON, as a value of Starlark.
func decoded(text string) (starlark.Value, error) {
	asJSON, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil, err
	}
	var found any
	if err := json.Unmarshal(asJSON, &found); err != nil {
		return nil, err
	}
	return starlarkOf(found), nil
}

func starlarkOf(v any) starlark.Value {
	switch v := v.(type) {
	case string:
		return starlark.String(v)
	case bool:
		return starlark.Bool(v)
	case float64:
		return starlark.Float(v)
	case []any:
		list := make([]starlark.Value, len(v))
		for i, element := range v {
			list[i] = starlarkOf(element)
		}
		return starlark.NewList(list)
	case map[string]any:
		dict := starlark.NewDict(len(v))
		for name, field := range v {
			_ = dict.SetKey(starlark.String(name), starlarkOf(field)) // a new dictionary takes every string
		}
		return dict
	}
	return starlark.None
}

// apply notes the objects that k8s_yaml is given.
func (p *Plan) apply(c Call) error {
	for _, one := range elements(c.Args["yaml"]) {
		text := one.String()
		if name, isPath := starlark.AsString(one); isPath {
			file, err := os.ReadFile(p.path(name))
			if err != nil {
				return err
			}
			text = string(file)
		}
		for _, document := range documents(text) {
			var o object
			if err := yaml.Unmarshal([]byte(document), &o); err != nil {
				return err
			}
			if o.Kind == "List" {
				p.objects = append(p.objects, o.Items...)
				continue
			}
			p.objects = append(p.objects, o)
		}
	}
	return nil
}

// join is os.path.join, which takes any number of arguments.
func join(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(kwargs) > 0 || !textOrTexts(args) {
		return nil, errors.New("os.path.join takes strings")
	}
	return starlark.String(path.Join(texts(args)...)), nil
}
