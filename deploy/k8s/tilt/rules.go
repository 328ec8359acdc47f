package tilt

import (
	"fmt"
	"slices"
	"strings"
)

// rule is one thing that the calls of a Tiltfile must keep to together. check says where they do not.
type rule struct {
	name  string
	check func(*Plan) []string
}

// rules are all of them.
var rules = []rule{
	{"images", images},
	{"stages", stages},
	{"live updates", liveUpdates},
	{"workloads", workloads},
	{"objects", objects},
	{"labels", labels},
	{"names", names},
	{"dependencies", dependencies},
	{"compiled first", compiledFirst},
	{"ports", ports},
	{"commands", commands},
	{"buttons", buttons},
	{"network", network},
}

// Findings are what the rules say, by their names. A rule that is kept says nothing.
func (p *Plan) Findings() map[string][]string {
	found := map[string][]string{}
	for _, r := range rules {
		if said := r.check(p); len(said) > 0 {
			slices.Sort(said)
			found[r.name] = said
		}
	}
	return found
}

// network: nothing is asked of the network; an image's base is Docker's to get.
func network(p *Plan) (said []string) {
	for _, c := range p.Calls {
		if strings.HasPrefix(c.Name, "v1alpha1.extension") {
			said = append(said, c.String()+" wants an extension from the network")
		}
		for name, v := range c.Args {
			for _, text := range texts(v) {
				if strings.Contains(text, "://") && !strings.HasPrefix(text, "http://localhost:") {
					said = append(said, fmt.Sprintf("%s: %s leads into the network: %s", c, name, text))
				}
			}
		}
	}
	return said
}

// buttons: a button stands where there is something, and runs a command; a command waits for a button.
func buttons(p *Plan) (said []string) {
	started, shown := map[string]bool{}, map[string]bool{}
	for _, button := range p.named("v1alpha1.ui_button") {
		shown[button.text("name")] = true
	}
	for _, command := range p.named("v1alpha1.cmd") {
		for _, on := range command.values("start_on") {
			for _, button := range on.list("ui_buttons") {
				started[button] = true
				if !shown[button] {
					said = append(said, fmt.Sprintf("%s: there is no button %q", command, button))
				}
			}
		}
	}
	for _, button := range p.named("v1alpha1.ui_button") {
		name := button.text("name")
		if !started[name] {
			said = append(said, fmt.Sprintf("%s: the button %q does nothing", button, name))
		}
		for _, place := range button.values("location") {
			if !p.place(place.text("component_type"), place.text("component_id")) {
				said = append(said, fmt.Sprintf("%s: the button %q has no place", button, name))
			}
		}
	}
	return said
}

// place says whether a button can stand there: at a resource, or in the bar at the top.
func (p *Plan) place(kind, id string) bool {
	if kind == "Resource" {
		return slices.ContainsFunc(p.resources(), func(r resource) bool { return r.name == id })
	}
	return kind == "Global" && id == "nav"
}
