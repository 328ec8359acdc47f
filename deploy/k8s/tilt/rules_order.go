package tilt

import (
	"fmt"
	"slices"
	"strings"
)

// dependencies: a resource waits for resources that there are, that start by themselves, and that do not wait for it.
func dependencies(p *Plan) (said []string) {
	byName := map[string]resource{}
	for _, r := range p.resources() {
		byName[r.name] = r
	}
	for _, r := range p.resources() {
		for _, name := range r.deps {
			on, ok := byName[name]
			switch {
			case !ok:
				said = append(said, fmt.Sprintf("%s: %s waits for %q, which is no resource", r.call, r.name, name))
			case on.call.off("auto_init"):
				said = append(said, fmt.Sprintf("%s: %s waits for %s, which starts by hand", r.call, r.name, name))
			}
		}
		if slices.Contains(waitsFor(byName, r.deps), r.name) {
			said = append(said, fmt.Sprintf("%s: %s waits for itself", r.call, r.name))
		}
	}
	return said
}

// waitsFor are all resources that come before others, directly or not.
func waitsFor(byName map[string]resource, others []string) (found []string) {
	for next := others; len(next) > 0; {
		name := next[0]
		next = next[1:]
		if !slices.Contains(found, name) {
			found = append(found, name)
			next = slices.Concat(next, byName[name].deps)
		}
	}
	return found
}

// compiledFirst: an image is built after a command has filled the folder that it is built from. That command is given the image's name.
func compiledFirst(p *Plan) (said []string) {
	byName := map[string]resource{}
	for _, r := range p.resources() {
		byName[r.name] = r
	}
	for _, r := range p.resources() {
		w := p.workload(r)
		if w == nil {
			continue
		}
		before := waitsFor(byName, r.deps)
		for _, image := range imagesOf(*w) {
			program := strings.TrimPrefix(image, ours)
			fills := func(name string) bool {
				return byName[name].call.Name == "local_resource" && slices.Contains(byName[name].call.list("cmd"), program)
			}
			if !slices.ContainsFunc(before, fills) {
				said = append(said, fmt.Sprintf("%s: %s does not wait for what compiles %s", r.call, r.name, program))
			}
		}
	}
	return said
}
