package check

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"serein.app/deploy/local/settings"
)

// otlp begins the standard variables of the exporter, which its library reads.
const otlp = "OTEL_EXPORTER_OTLP_"

// memoryLimit is a variable of Go's runtime in every program, in bytes or with a unit.
const memoryLimit = "GOMEMLIMIT"

// knownVariables: every variable of a program's container is one that the program reads.
func knownVariables(i *Installation) (said []string) {
	for _, w := range i.programs() {
		for _, v := range w.main().Env {
			if !i.knows(w.program(), v.Name) {
				said = append(said, fmt.Sprintf("%s: %s reads no %s", w, w.program(), v.Name))
			}
		}
	}
	return said
}

func (i *Installation) knows(program, name string) bool {
	return i.documented.shared[name] || name == memoryLimit || strings.HasPrefix(name, otlp) ||
		slices.ContainsFunc(i.variables[program], func(v settings.Variable) bool { return v.Name == name })
}

// requiredVariables: a program is given all that it does not start without, and listens where its ports are.
func requiredVariables(i *Installation) (said []string) {
	for _, w := range i.programs() {
		for _, v := range i.variables[w.program()] {
			set := w.variable(v.Name)
			if v.Required && (set == nil || set.Value == "" && set.ValueFrom == nil) {
				said = append(said, fmt.Sprintf("%s does not start without %s", w, v.Name))
			}
		}
		for port, name := range map[string]string{"internal": "INTERNAL_ADDR", "public": "PUBLIC_ADDR"} {
			if number := portNamed(w, port); number != "" && i.value(w.variable(name)) != ":"+number {
				said = append(said, fmt.Sprintf("%s: %s is not where its port %s is", w, name, port))
			}
		}
	}
	return said
}

// portNamed is the number of a container's port; empty if the container has no port of that name.
func portNamed(w Workload, name string) string {
	for _, port := range w.main().Ports {
		if port.Name == name {
			return strconv.Itoa(int(port.ContainerPort))
		}
	}
	return ""
}

// secretName is how variables of other people's programs that hold a secret are called; passwordIn finds one in an address.
var (
	secretName = regexp.MustCompile(`(?i)(password|secret|_key|token)$`)
	passwordIn = regexp.MustCompile(`://[\w.%-]*:[^/@\s]+@|PRIVATE KEY`)
)

// noSecretInClear: what a program keeps secret comes from a Secret, which no manifest has.
func noSecretInClear(i *Installation) (said []string) {
	for _, w := range i.Workloads() {
		for _, c := range w.containers() {
			for _, v := range c.Env {
				inClear := v.ValueFrom == nil && v.Value != "" || v.ValueFrom != nil && v.ValueFrom.SecretKeyRef == nil
				if inClear && (i.isSecret(w.program(), v.Name) || passwordIn.MatchString(i.value(&v))) {
					said = append(said, fmt.Sprintf("%s: %s stands there in clear", w, v.Name))
				}
			}
		}
	}
	for _, secret := range of[*corev1.Secret](i) {
		said = append(said, "Secret "+secret.Name+" is in the manifests")
	}
	for _, config := range of[*corev1.ConfigMap](i) {
		for key, value := range config.Data {
			if passwordIn.MatchString(value) {
				said = append(said, fmt.Sprintf("ConfigMap %s: %s holds a password", config.Name, key))
			}
		}
	}
	return said
}

func (i *Installation) isSecret(program, name string) bool {
	for _, v := range i.variables[program] {
		if v.Name == name {
			return v.Secret
		}
	}
	return secretName.MatchString(name) || strings.HasSuffix(name, "DATABASE_URL")
}

// tlsInside: where people pay nothing of theirs goes to another machine in clear, and nothing says that it may. Traces may: they name no
// member, and their collector is the site's.
func tlsInside(i *Installation) (said []string) {
	for _, w := range i.programs() {
		if i.Name != "prod" {
			continue
		}
		if w.variable("TRUSTED_NETWORK") != nil {
			said = append(said, w.String()+" takes plain addresses: TRUSTED_NETWORK")
		}
		for v := range w.main().Env {
			if name := w.main().Env[v].Name; strings.HasSuffix(name, "_URL") && strings.HasPrefix(i.value(&w.main().Env[v]), "http://") {
				said = append(said, fmt.Sprintf("%s: %s is not under TLS", w, name))
			}
		}
	}
	return said
}

// roles: what members ask for and the making of it are two Deployments, which together do all of the program's work.
func roles(i *Installation) (said []string) {
	of := map[string]string{}
	for _, w := range i.programs() {
		if v := w.variable("GENERATION_ROLE"); v != nil || w.program() == "generation" {
			of[w.Name] = i.value(v)
		}
	}
	if want := map[string]string{"generation": "requests", "narration": "narration"}; !maps.Equal(of, want) {
		said = append(said, fmt.Sprintf("the roles of generation are %v", of))
	}
	return said
}
