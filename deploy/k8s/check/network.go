package check

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// internalPort is where programs answer each other.
const internalPort = "9000"

// defaultDeny: without it every pod that no policy names would be open, and every other one in the direction that none names.
func defaultDeny(i *Installation) []string {
	for _, p := range of[*networkingv1.NetworkPolicy](i) {
		s := p.Spec
		if len(s.PodSelector.MatchLabels)+len(s.PodSelector.MatchExpressions)+len(s.Ingress)+len(s.Egress) == 0 && len(s.PolicyTypes) == 2 {
			return nil
		}
	}
	return []string{"no policy denies everything to all"}
}

// edgesOfTheTable: what the policies allow is what README.md says, no more and no less.
func edgesOfTheTable(i *Installation) (said []string) {
	allowed, half := i.network().allowed(i.parts())
	for _, e := range half {
		said = append(said, e.String()+" is allowed at one end alone")
	}
	documented := i.documentedEdges()
	for e := range allowed {
		if !documented[e] {
			said = append(said, e.String()+" is allowed and not in README.md")
		}
	}
	for e := range documented {
		if !allowed[e] {
			said = append(said, e.String()+" is in README.md and not allowed")
		}
	}
	return said
}

func (i *Installation) documentedEdges() map[edge]bool {
	found := map[edge]bool{}
	for _, row := range i.documented.edges {
		if !slices.Contains(row.overlays, i.Name) {
			continue
		}
		for _, from := range row.from {
			for _, to := range row.to {
				for _, port := range row.ports {
					found[edge{from, to, port}] = true
				}
			}
		}
	}
	return found
}

// edgesOfTheCode: the table has an edge between two programs exactly where the one's source has a variable for the other's address.
func edgesOfTheCode(i *Installation) (said []string) {
	want := map[edge]bool{}
	for _, w := range i.programs() {
		for _, v := range i.variables[w.program()] {
			callee, ok := strings.CutSuffix(v.Name, "_URL")
			if callee = strings.ToLower(callee); ok && i.variables[callee] != nil {
				want[edge{w.Name, callee, internalPort}] = true
			}
		}
	}
	between := map[edge]bool{}
	for e := range i.documentedEdges() {
		if e.port == internalPort && i.isProgram(e.from) && i.isProgram(e.to) {
			between[e] = true
		}
	}
	for e := range want {
		if !between[e] {
			said = append(said, e.String()+" is in the code and not in README.md")
		}
	}
	for e := range between {
		if !want[e] {
			said = append(said, e.String()+" is in README.md and not in the code")
		}
	}
	return said
}

func (i *Installation) isProgram(name string) bool {
	return slices.ContainsFunc(i.programs(), func(w Workload) bool { return w.Name == name })
}

// issuers: who has an issuer asks it, but for the issuer itself; the label opens the way there.
func issuers(i *Installation) (said []string) {
	for _, w := range i.programs() {
		has := w.variable("OIDC_ISSUER") != nil && w.Name != "identity"
		if has != (w.Pod.Labels["serein.app/asks-issuer"] == "true") {
			said = append(said, w.String()+": OIDC_ISSUER and the label serein.app/asks-issuer do not agree")
		}
	}
	return said
}

// servicePods: a Service leads to pods that there are, at a port that they have.
func servicePods(i *Installation) (said []string) {
	for _, service := range of[*corev1.Service](i) {
		matched := false
		for _, w := range i.Workloads() {
			if !labels.SelectorFromSet(service.Spec.Selector).Matches(labels.Set(w.Pod.Labels)) {
				continue
			}
			matched = true
			for _, port := range service.Spec.Ports {
				if !hasPort(w, port.TargetPort) {
					said = append(said, "Service "+service.Name+": "+w.String()+" has no port "+port.TargetPort.String())
				}
			}
		}
		if !matched {
			said = append(said, "Service "+service.Name+" leads to no pod")
		}
	}
	return said
}

func hasPort(w Workload, port intstr.IntOrString) bool {
	return slices.ContainsFunc(w.main().Ports, func(p corev1.ContainerPort) bool {
		return p.Name == port.StrVal && port.Type == intstr.String || port.Type == intstr.Int && p.ContainerPort == port.IntVal
	})
}
