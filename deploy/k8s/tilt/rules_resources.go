package tilt

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"serein.app/deploy/k8s/check"
)

// resource is one line of Tilt's page.
type resource struct {
	name string
	call Call
	deps []string
}

// resources are all that the Tiltfile names.
func (p *Plan) resources() (found []resource) {
	for _, c := range p.named("local_resource", "k8s_resource") {
		name := c.text("name") // of a local_resource
		for _, argument := range []string{"workload", "new_name"} {
			if given := c.text(argument); given != "" {
				name = given
			}
		}
		found = append(found, resource{name, c, c.list("resource_deps")})
	}
	return found
}

// workload is what a resource deploys; nil for others.
func (p *Plan) workload(r resource) *check.Workload { return p.deployed(r.call.text("workload")) }

// deployed is the workload of that name; nil if the overlay has no such workload.
func (p *Plan) deployed(name string) *check.Workload {
	for _, w := range p.workloadsHere() {
		if w.Name == name {
			return &w
		}
	}
	return nil
}

// workloads: each workload of the overlay is a resource, and a resource of Kubernetes is a workload or a group of objects.
func workloads(p *Plan) (said []string) {
	has := map[string]bool{}
	for _, r := range p.resources() {
		has[r.call.text("workload")] = true
		grouped := r.call.text("workload") == "" && len(r.call.list("objects")) > 0
		if r.call.Name == "k8s_resource" && p.workload(r) == nil && !grouped {
			said = append(said, fmt.Sprintf("%s: the overlay has no workload %q", r.call, r.name))
		}
	}
	for _, w := range p.workloadsHere() {
		if !has[w.Name] {
			said = append(said, fmt.Sprintf("%s is no resource: it has no label and waits for nothing", w))
		}
	}
	return said
}

// objects: each object that is no workload and no Service of one belongs to a resource, and each name of one means one object.
func objects(p *Plan) (said []string) {
	have := map[string]int{}
	for _, o := range p.objects {
		have[o.fragment()]++
	}
	grouped := map[string]bool{}
	for _, c := range p.named("k8s_resource") {
		for _, name := range c.list("objects") {
			fragment := strings.ToLower(name)
			grouped[fragment] = true
			if have[fragment] != 1 {
				said = append(said, fmt.Sprintf("%s: %s means %d objects", c, name, have[fragment]))
			}
		}
	}
	for _, o := range p.objects {
		alone := !slices.Contains([]string{"Deployment", "StatefulSet", "Job", "Service"}, o.Kind)
		if alone && !grouped[o.fragment()] {
			said = append(said, o.fragment()+" belongs to no resource")
		}
	}
	return said
}

var label = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$`)

// labels: every resource is in a group of Tilt's page.
func labels(p *Plan) (said []string) {
	for _, r := range p.resources() {
		given := r.call.list("labels")
		if len(given) == 0 {
			said = append(said, fmt.Sprintf("%s: %s has no label", r.call, r.name))
		}
		for _, text := range given {
			if !label.MatchString(text) {
				said = append(said, fmt.Sprintf("%s: %q cannot be a label", r.call, text))
			}
		}
	}
	return said
}

// names: no two resources, buttons or commands have one name.
func names(p *Plan) (said []string) {
	taken := map[string]bool{}
	note := func(c Call, kind, name string) {
		if key := kind + " " + name; taken[key] {
			said = append(said, fmt.Sprintf("%s: there are two of the %s", c, key))
		} else {
			taken[key] = true
		}
	}
	for _, r := range p.resources() {
		note(r.call, "resource", r.name)
	}
	for _, c := range p.named("v1alpha1.ui_button", "v1alpha1.cmd") {
		note(c, c.Name, c.text("name"))
	}
	return said
}

// ports: a port of this machine leads to one pod, at a port that the pod has.
func ports(p *Plan) (said []string) {
	taken := map[int]string{}
	for _, r := range p.resources() {
		for _, v := range elements(r.call.Args["port_forwards"]) {
			local, there, err := forward(v)
			switch {
			case err != nil:
				said = append(said, fmt.Sprintf("%s: %v", r.call, err))
			case taken[local] != "":
				said = append(said, fmt.Sprintf("%s: port %d leads to %s and to %s", r.call, local, taken[local], r.name))
			case p.workload(r) != nil && !listens(*p.workload(r), there):
				said = append(said, fmt.Sprintf("%s: %s has no port %d", r.call, r.name, there))
			}
			taken[local] = r.name
		}
	}
	return said
}

var pair = regexp.MustCompile(`^(\d+)(?::(\d+))?$`)

// forward is a port of this machine and the port of the pod that it leads to.
func forward(v starlark.Value) (local, there int, err error) {
	text := v.String()
	if given, ok := starlark.AsString(v); ok {
		text = given
	}
	if made, ok := v.(value); ok {
		text = made.Args["local_port"].String()
		if made.Args["container_port"] != nil {
			text += ":" + made.Args["container_port"].String()
		}
	}
	found := pair.FindStringSubmatch(text)
	if found == nil {
		return 0, 0, fmt.Errorf("%s is no port, nor two with a colon between", text)
	}
	if found[2] == "" {
		found[2] = found[1]
	}
	if local, err = strconv.Atoi(found[1]); err != nil {
		return 0, 0, err
	}
	there, err = strconv.Atoi(found[2])
	return local, there, err
}

// listens says whether a container of a workload has a port.
func listens(w check.Workload, port int) bool {
	for _, c := range w.Pod.Spec.Containers {
		for _, has := range c.Ports {
			if int(has.ContainerPort) == port {
				return true
			}
		}
	}
	return false
}
