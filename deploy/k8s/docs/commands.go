package docs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"serein.app/deploy/k8s/check"
)

// stackCommand is the one-machine stack's program, which make run builds.
const stackCommand = ".cache/serein"

// snippet checks all that a piece of shell runs.
func (c *Checker) snippet(text string) error {
	found, err := calls(text)
	if err != nil {
		return err
	}
	var faults []error
	for _, words := range found {
		if err := c.command(words); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", strings.Join(words, " "), err))
		}
	}
	return errors.Join(append(faults, unjoined(found))...)
}

// unjoined refuses what a reader pastes behind a wait: the shell runs it though the wait failed.
func unjoined(found [][]string) error {
	for n, words := range found[:max(0, len(found)-1)] {
		if words[0] == "kubectl" && slices.Contains(words, "wait") {
			return fmt.Errorf("%s: a wait that fails does not stop %s: end the snippet, or write a script", strings.Join(words, " "), strings.Join(found[n+1], " "))
		}
	}
	return nil
}

// span checks a piece of a sentence in backquotes: a command, or a path.
func (c *Checker) span(text string) error {
	first, more, _ := strings.Cut(text, " ")
	name, own := strings.CutPrefix(first, "/")
	switch {
	case own && c.programs[name] != nil && more != "":
		return c.programs[name].check(first, strings.Fields(more))
	case more != "" && c.runs(first):
		return c.snippet(text)
	case more == "":
		return c.path(text)
	}
	return nil
}

// runs says whether a word begins a command.
func (c *Checker) runs(word string) bool {
	return word == "make" || word == stackCommand || c.tools.commands[word] != nil || c.inTree(word)
}

// command checks a call by its words.
func (c *Checker) command(words []string) error {
	for _, word := range words {
		if err := c.path(word); err != nil {
			return err
		}
	}
	switch first := words[0]; {
	case first == "make":
		return each(words[1:], c.targets, "make has no target %s")
	case first == stackCommand:
		return c.stack(words[1:])
	case first == "go" && len(words) > 2 && words[1] == "run":
		return c.program(words[2:])
	case c.inTree(first):
		return nil // its path is there
	}
	i, err := c.tools.parse(words)
	if err != nil {
		return err
	}
	switch i.path[0] {
	case "kubectl":
		return c.kubectl(i)
	case "docker":
		return each(i.flags["--target"], c.stages, "the Dockerfile has no stage %s")
	case "npm":
		return each(i.args, c.scripts, "the app has no script %s")
	case "tilt":
		return c.there("Tiltfile")
	}
	return nil
}

// each refuses the first name that is not known.
func each(names []string, known map[string]bool, fault string) error {
	for _, name := range names {
		if !known[name] {
			return fmt.Errorf(fault, name)
		}
	}
	return nil
}

// program checks what go run runs: the stack's command, or nk.
func (c *Checker) program(words []string) error {
	switch words[0] {
	case "./deploy/local/cmd/serein":
		return c.stack(words[1:])
	case "github.com/nats-io/nkeys/nk":
		_, err := c.tools.parse(append([]string{"nk"}, words[1:]...))
		return err
	}
	return nil
}

// stack checks a call of the one-machine stack's command.
func (c *Checker) stack(words []string) error {
	if len(words) == 0 || c.serein[words[0]] {
		return nil
	}
	if service, ok := c.programs[words[0]]; ok {
		return service.check(words[0], words[1:])
	}
	return fmt.Errorf("serein has no command %s", words[0])
}

// inTree says whether a word is a path of the repository, which begins with one of its folders.
func (c *Checker) inTree(word string) bool {
	top, _, below := strings.Cut(strings.TrimPrefix(word, "./"), "/")
	if !below || top == "" || top == ".." || strings.ContainsAny(word, " :\"'{}$|=") {
		return false
	}
	info, err := os.Stat(filepath.Join(c.root, top))
	return err == nil && info.IsDir()
}

// path refuses a path of the repository that is not there. What is built is not looked for, and <name> stands for any name.
func (c *Checker) path(word string) error {
	if !c.inTree(word) || strings.HasPrefix(word, ".cache/") || strings.HasPrefix(word, ".data/") || strings.Contains(word, "node_modules/") {
		return nil
	}
	word = strings.TrimSuffix(strings.TrimPrefix(word, "./"), "/...")
	return c.there(anyName.ReplaceAllString(word, "*"))
}

func (c *Checker) there(pattern string) error {
	found, err := filepath.Glob(filepath.Join(c.root, pattern))
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("there is no %s", pattern)
	}
	return err
}

// manifest decodes an object as the overlays' are. A kustomization is read only, and its images are stages of the Dockerfile.
func (c *Checker) manifest(text string) error {
	var kustomization struct {
		Kind   string `json:"kind"`
		Images []struct {
			Name string `json:"name"`
		} `json:"images"`
	}
	if err := yaml.Unmarshal([]byte(text), &kustomization); err != nil {
		return err
	}
	if kustomization.Kind != "Kustomization" {
		_, err := check.Decode([]byte(text))
		return err
	}
	var names []string
	for _, image := range kustomization.Images {
		names = append(names, strings.TrimPrefix(image.Name, "serein/"))
	}
	return each(names, c.stages, "the Dockerfile has no stage %s")
}
