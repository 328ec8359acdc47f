package check

import (
	"fmt"
	"slices"

	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// edge is a way that the network lets somebody go: both ends by their names, and the port of the pod.
type edge struct{ from, to, port string }

func (e edge) String() string { return e.from + " → " + e.to + ":" + e.port }

// Names of peers that are no pods here.
const (
	everyPod = "all"
	nobody   = ""
	anybody  = "anybody" // a rule that names no peer
	internet = "internet"
	anywhere = "anywhere" // the internet and the private networks
)

// part is a kind of pod: what runs under one name, with its labels.
type part struct {
	name   string
	labels map[string]string
}

// parts are all pods that policies can select, those of the database's cluster among them.
func (i *Installation) parts() (found []part) {
	for _, w := range i.Workloads() {
		name := w.Pod.Labels[partLabel]
		if step := w.Pod.Labels[stepLabel]; step != "" {
			name = step // all migrations are one
		}
		found = append(found, part{name, w.Pod.Labels})
	}
	for _, cluster := range i.custom("Cluster") {
		inherited := nested[map[string]any](cluster, "spec", "inheritedMetadata", "labels")
		labels := map[string]string{}
		for key, value := range inherited {
			labels[key], _ = value.(string)
		}
		found = append(found, part{labels[partLabel], labels})
	}
	return found
}

// selected are the names of the parts that a selector of a policy matches.
func (i *Installation) selected(selector *metav1.LabelSelector) (names []string) {
	for _, p := range i.parts() {
		if selects(selector, p.labels) && !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}

// network is what all policies allow, seen from both ends.
type network struct{ leaving, entering map[edge]bool }

func (i *Installation) network() network {
	n := network{map[edge]bool{}, map[edge]bool{}}
	for _, p := range of[*networkingv1.NetworkPolicy](i) {
		own := i.selected(&p.Spec.PodSelector)
		if len(p.Spec.PodSelector.MatchLabels)+len(p.Spec.PodSelector.MatchExpressions) == 0 {
			own = []string{everyPod}
		}
		if len(own) == 0 {
			own = []string{nobody}
		}
		for _, rule := range p.Spec.Egress {
			for _, e := range i.ways(own, rule.To, rule.Ports) {
				n.leaving[e] = true
			}
		}
		for _, rule := range p.Spec.Ingress {
			for _, e := range i.ways(own, rule.From, rule.Ports) {
				n.entering[edge{e.to, e.from, e.port}] = true
			}
		}
	}
	return n
}

// ways are the edges from own to the peers of a rule, at its ports.
func (i *Installation) ways(own []string, peers []networkingv1.NetworkPolicyPeer, ports []networkingv1.NetworkPolicyPort) (found []edge) {
	others, numbers := []string{}, []string{}
	for _, peer := range peers {
		others = append(others, i.peer(peer)...)
	}
	if len(peers) == 0 {
		others = []string{anybody}
	}
	for _, port := range ports {
		switch {
		case port.Port == nil:
			numbers = append(numbers, "any")
		case port.EndPort != nil:
			numbers = append(numbers, fmt.Sprintf("%s-%d", port.Port, *port.EndPort))
		default:
			numbers = append(numbers, port.Port.String())
		}
	}
	if len(ports) == 0 {
		numbers = []string{"any"}
	}
	for _, from := range own {
		for _, to := range others {
			for _, number := range numbers {
				found = append(found, edge{from, to, number})
			}
		}
	}
	return found
}

// peer gives the names of those that a peer of a rule matches.
func (i *Installation) peer(p networkingv1.NetworkPolicyPeer) []string {
	switch {
	case p.IPBlock != nil && p.IPBlock.CIDR == "0.0.0.0/0" && len(p.IPBlock.Except) > 0:
		return []string{internet}
	case p.IPBlock != nil && p.IPBlock.CIDR == "0.0.0.0/0":
		return []string{anywhere}
	case p.IPBlock != nil:
		return []string{p.IPBlock.CIDR}
	case p.NamespaceSelector != nil:
		for _, label := range []string{"serein.app/peer", "kubernetes.io/metadata.name"} {
			if name := p.NamespaceSelector.MatchLabels[label]; name != "" {
				return []string{name}
			}
		}
		return []string{anybody}
	}
	if found := i.selected(p.PodSelector); len(found) > 0 {
		return found
	}
	return []string{nobody}
}

// allowed are the edges that both ends allow. The other end of one that leads out of the namespace is not ours to see. half are those
// that one end allows and the other does not.
func (n network) allowed(parts []part) (both map[edge]bool, half []edge) {
	inside := map[string]bool{nobody: true}
	for _, p := range parts {
		inside[p.name] = true
	}
	both = map[edge]bool{}
	for e := range n.leaving {
		if !inside[e.to] || n.entering[e] {
			both[e] = true
		} else {
			half = append(half, e)
		}
	}
	for e := range n.entering {
		if !inside[e.from] || n.leaving[e] {
			both[e] = true
		} else {
			half = append(half, e)
		}
	}
	return both, half
}
