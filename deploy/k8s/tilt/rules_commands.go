package tilt

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// tools are the programs of a developer's machine that a command may begin with.
var tools = []string{"go", "make", "kubectl", "mkdir", "sh"}

// commands: what a command names exists: a file of the repository, a target of the Makefile, a package, a workload.
func commands(p *Plan) (said []string) {
	for _, c := range p.Calls {
		for _, argument := range map[string][]string{
			"local": {"command"}, "local_resource": {"cmd", "serve_cmd"}, "v1alpha1.cmd": {"args"}, "custom_build": {"command"},
		}[c.Name] {
			words := c.list(argument)
			if len(words) == 1 { // a line for a shell, or a program without arguments
				words = strings.Fields(words[0])
			}
			if len(words) == 0 {
				continue
			}
			if fault := p.fault(words); fault != "" {
				said = append(said, fmt.Sprintf("%s: %s", c, fault))
			}
		}
	}
	return said
}

// fault says what a command names that does not exist; empty where everything does.
func (p *Plan) fault(words []string) string {
	switch program := words[0]; {
	case strings.Contains(program, "/"):
		if info, err := os.Stat(p.path(program)); err != nil || info.Mode()&0o111 == 0 {
			return program + " is no program of the repository"
		}
	case !slices.Contains(tools, program):
		return program + " is no program that every developer has"
	case program == "make":
		return p.unknownTarget(words[1:])
	case program == "go":
		return p.unknownPackage(words)
	}
	return p.unknownWorkload(words)
}

var (
	variable = regexp.MustCompile(`(?m)^([A-Z]+) := (\S+)$`)
	targets  = regexp.MustCompile(`(?m)^([^\s#:][^:=]*):(?:[^=]|$)`)
)

// unknownTarget says which word is no target of the Makefile.
func (p *Plan) unknownTarget(words []string) string {
	text, err := os.ReadFile(p.path("Makefile"))
	if err != nil {
		return err.Error()
	}
	makefile := string(text)
	for _, found := range variable.FindAllStringSubmatch(makefile, -1) {
		makefile = strings.ReplaceAll(makefile, "$("+found[1]+")", found[2])
	}
	var known []string
	for _, found := range targets.FindAllStringSubmatch(makefile, -1) {
		known = append(known, strings.Fields(found[1])...)
	}
	for _, word := range words {
		if !slices.Contains(known, word) {
			return "make has no target " + word
		}
	}
	return ""
}

// unknownPackage says which package `go run` does not find.
func (p *Plan) unknownPackage(words []string) string {
	if len(words) < 3 || words[1] != "run" {
		return "go is for `go run PACKAGE` alone"
	}
	if files, err := filepath.Glob(p.path(filepath.Join(words[2], "*.go"))); err != nil || len(files) == 0 {
		return "there is no package " + words[2]
	}
	return ""
}

// unknownWorkload says which deployment, of `kubectl exec deployment/NAME`, the overlay does not have.
func (p *Plan) unknownWorkload(words []string) string {
	for _, word := range words {
		name, found := strings.CutPrefix(word, "deployment/")
		if found && p.deployed(name) == nil {
			return "the overlay has no deployment " + name
		}
	}
	return ""
}
