package docs

import (
	"fmt"
	"strings"
)

// kinds by the words that kubectl takes for them. Of those without objects here, such as pods of Deployments, names are not known.
var kinds = map[string]string{
	"namespace": "Namespace", "deployment": "Deployment", "deployments": "Deployment", "statefulset": "StatefulSet", "job": "Job", "jobs": "Job",
	"secret": "Secret", "configmap": "ConfigMap", "service": "Service", "pod": "Pod", "pods": "Pod", "hpa": "HorizontalPodAutoscaler",
	"pvc": "PersistentVolumeClaim", "networkpolicy": "NetworkPolicy", "externalsecret": "ExternalSecret", "certificate": "Certificate",
	"cluster": "Cluster", "gateway": "Gateway", "httproute": "HTTPRoute", "events": "Event",
}

// reference is an object that a call names; all of its kind without a name.
type reference struct{ kind, name string }

// references reads which objects a call of kubectl names: TYPE/NAME …, or TYPE,TYPE NAME ….
func references(args []string) (found []reference, err error) {
	if len(args) == 0 {
		return nil, nil
	}
	if strings.Contains(args[0], "/") {
		for _, arg := range args {
			word, name, _ := strings.Cut(arg, "/")
			found = append(found, reference{word, name})
		}
	} else {
		names := args[1:]
		if len(names) == 0 {
			names = []string{""}
		}
		for word := range strings.SplitSeq(args[0], ",") {
			for _, name := range names {
				found = append(found, reference{word, name})
			}
		}
	}
	for n := range found {
		kind := kinds[found[n].kind]
		if kind == "" {
			return nil, fmt.Errorf("there is no kind %s", found[n].kind)
		}
		found[n].kind = kind
	}
	return found, nil
}

// known refuses an object that no overlay has.
func (c *cluster) known(r reference) error {
	if r.name == "" || placeholder.MatchString(r.name) || c.names[r.kind][r.name] {
		return nil
	}
	return fmt.Errorf("no overlay has the %s %s", r.kind, r.name)
}

// kubectl checks the objects, labels, containers and ports that a call names, and what it runs in a container.
func (c *Checker) kubectl(i invocation) error {
	for _, space := range i.flags["--namespace"] {
		if err := c.cluster.known(reference{"Namespace", space}); err != nil {
			return err
		}
	}
	for _, selector := range i.flags["--selector"] {
		if err := c.cluster.selects(selector); err != nil {
			return err
		}
	}
	args, ports := i.args, []string(nil)
	switch i.path[1] {
	case "kustomize", "config", "apply", "diff":
		return nil
	case "create":
		args = append([]string{"secret"}, args...)
	case "label", "annotate":
		args = withoutPairs(args)
	case "port-forward":
		args, ports = args[:min(1, len(args))], args[min(1, len(args)):]
	case "exec":
		if len(args) > 0 && !strings.Contains(args[0], "/") {
			args = append([]string{"pod"}, args...)
		}
	}
	named, err := references(args)
	if err != nil {
		return err
	}
	for _, r := range named {
		if err := c.inside(i, r, ports); err != nil {
			return err
		}
	}
	return nil
}

// inside checks an object, and what the call wants of it.
func (c *Checker) inside(i invocation, r reference, ports []string) error {
	if err := c.cluster.known(r); err != nil {
		return err
	}
	containers := c.cluster.containers[r.kind+"/"+r.name]
	container := i.first("--container")
	if _, ok := containers[container]; container != "" && r.name != "" && !ok {
		return fmt.Errorf("%s %s has no container %s", r.kind, r.name, container)
	}
	for _, port := range ports {
		_, there, forwarded := strings.Cut(port, ":")
		if !forwarded {
			there = port
		}
		if !c.cluster.ports[r.name][there] {
			return fmt.Errorf("the service %s has no port %s", r.name, there)
		}
	}
	if i.path[1] != "exec" || len(i.rest) == 0 {
		return nil
	}
	name, own := strings.CutPrefix(i.rest[0], "/")
	if !own {
		return c.command(i.rest)
	}
	for _, image := range containers {
		if image == "serein/"+name {
			return c.programs[name].check(i.rest[0], i.rest[1:])
		}
	}
	return fmt.Errorf("%s %s has no %s", r.kind, r.name, i.rest[0])
}

// withoutPairs leaves out what labels and annotations are set to.
func withoutPairs(args []string) (found []string) {
	for _, arg := range args {
		if !strings.Contains(arg, "=") {
			found = append(found, arg)
		}
	}
	return found
}

// selects refuses a label or a value that nothing has.
func (c *cluster) selects(selector string) error {
	for term := range strings.SplitSeq(selector, ",") {
		key, value, equal := strings.Cut(term, "=")
		key = strings.TrimSuffix(key, "!")
		if c.labels[key] == nil || equal && !c.labels[key][value] {
			return fmt.Errorf("nothing has the label %s", term)
		}
	}
	return nil
}
