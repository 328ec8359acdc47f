package docs

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"serein.app/deploy/k8s/check"
	"serein.app/deploy/local/settings"
)

// Checker knows what is there.
type Checker struct {
	root     string
	tools    *command
	cluster  *cluster
	programs map[string]program
	// serein are the commands of the one-machine stack.
	serein map[string]bool
	// targets of make, stages of the Dockerfile, scripts of the app.
	targets, stages, scripts  map[string]bool
	variables, metrics, tests map[string]bool
}

// New reads all that pages may name.
func New(root string) (*Checker, error) {
	c := &Checker{root: root, tools: readTools(toolsText), programs: map[string]program{}}
	var faults []error
	var err error
	c.cluster, err = readCluster(root, "overlays/dev", "overlays/prod")
	faults = append(faults, err)
	c.serein, err = readSerein(root)
	faults = append(faults, err)
	c.tests, err = readTests(root)
	faults = append(faults, err)
	names, err := programNames(root)
	faults = append(faults, err)
	for _, name := range names {
		c.programs[name], err = readProgram(root, name)
		faults = append(faults, err)
	}
	for _, list := range []struct {
		into    *map[string]bool
		file    string
		pattern string
	}{
		{&c.targets, "Makefile", `(?m)^([a-z0-9-]+):.*## `},
		{&c.stages, "deploy/docker/Dockerfile", `(?m)^FROM .* AS (\S+)$`},
		{&c.scripts, "frontend/package.json", `(?m)^    "([a-z:-]+)": "`},
	} {
		*list.into, err = matches(filepath.Join(root, list.file), list.pattern)
		faults = append(faults, err)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	c.metrics, err = check.Metrics(root)
	return c, errors.Join(err, c.readVariables())
}

// matches are what the group of a pattern finds in a file.
func matches(path, pattern string) (map[string]bool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
		found[match[1]] = true
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s has nothing of what is looked for", path)
	}
	return found, nil
}

// readVariables: those of the programs, of all of them, of the manifests and of the one-machine stack; keys of secrets are called as variables.
func (c *Checker) readVariables() error {
	c.variables = map[string]bool{}
	for name := range c.programs {
		found, err := settings.Of(c.root, name)
		if err != nil {
			return err
		}
		for _, variable := range found {
			c.variables[variable.Name] = true
		}
	}
	for _, readme := range []string{"services/platform/README.md", "deploy/local/README.md"} {
		text, err := os.ReadFile(filepath.Join(c.root, readme))
		if err != nil {
			return err
		}
		for _, cell := range check.FirstCells(string(text)) {
			for _, name := range spans(cell) {
				c.variables[name] = true
			}
		}
	}
	for _, names := range []map[string]bool{c.cluster.variables, c.cluster.keys} {
		for name := range names {
			c.variables[name] = true
		}
	}
	return nil
}

// Faults are what a page says and what is not there.
func (c *Checker) Faults(p Page) (said []string) {
	blocks, prose := p.split()
	for _, b := range blocks {
		var err error
		switch b.language {
		case "sh":
			err = c.snippet(b.text)
		case "yaml":
			err = c.manifest(b.text)
		case "json":
			if !json.Valid([]byte(b.text)) {
				err = errors.New("this is no JSON")
			}
		}
		if err != nil {
			said = append(said, fmt.Sprintf("%s:%d: %v", p.Path, b.line, err))
		}
	}
	for _, text := range spans(prose) {
		if err := c.span(text); err != nil {
			said = append(said, fmt.Sprintf("%s: `%s`: %v", p.Path, text, err))
		}
	}
	for _, err := range append(c.words(p.text), c.links(p, prose)...) {
		said = append(said, fmt.Sprintf("%s: %v", p.Path, err))
	}
	slices.Sort(said)
	return slices.Compact(said)
}
