package check

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

var networkMutants = []mutant{
	{"a Service that matches nothing", "dev", "service's pods", func(i *Installation) {
		named[*corev1.Service](i, "billing").Spec.Selector[partLabel] = "biling"
	}},
	{"a Service at a port that is not there", "dev", "service's pods", func(i *Installation) {
		named[*corev1.Service](i, "billing").Spec.Ports[0].TargetPort = intstr.FromString("public")
	}},
	{"no default deny", "dev", "default deny", func(i *Installation) { i.without("NetworkPolicy", "default-deny") }},
	{"deny of one direction alone", "dev", "default deny", func(i *Installation) {
		policyOf(i, "default-deny").PolicyTypes = []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}
	}},
	{"open to anybody", "dev", "edges", func(i *Installation) {
		policyOf(i, "billing").Ingress = append(policyOf(i, "billing").Ingress, networkingv1.NetworkPolicyIngressRule{})
	}},
	{"open at every port", "dev", "edges", func(i *Installation) { policyOf(i, "billing").Egress[0].Ports = nil }},
	{"an edge that is not in the map", "dev", "edges", func(i *Installation) {
		basket := networkingv1.NetworkPolicyPeer{PodSelector: &metav1.LabelSelector{MatchLabels: map[string]string{partLabel: "basket"}}}
		policyOf(i, "billing").Egress[0].To = append(policyOf(i, "billing").Egress[0].To, basket)
	}},
	{"an edge that is missing", "dev", "edges", func(i *Installation) { policyOf(i, "billing").Egress = policyOf(i, "billing").Egress[1:] }},
	{"a policy of nobody", "dev", "edges", func(i *Installation) { policyOf(i, "billing").PodSelector.MatchLabels[partLabel] = "biling" }},
	{"the whole internet in dev", "dev", "edges", func(i *Installation) {
		to := []networkingv1.NetworkPolicyPeer{{IPBlock: &networkingv1.IPBlock{CIDR: "0.0.0.0/0"}}}
		policyOf(i, "mail").Egress = append(policyOf(i, "mail").Egress, networkingv1.NetworkPolicyEgressRule{To: to})
	}},
	{"a row that the code does not have", "dev", "edges of the code", func(i *Installation) {
		narration := networkingv1.NetworkPolicyPeer{PodSelector: &metav1.LabelSelector{MatchLabels: map[string]string{partLabel: "narration"}}}
		mail := networkingv1.NetworkPolicyPeer{PodSelector: &metav1.LabelSelector{MatchLabels: map[string]string{partLabel: "mail"}}}
		port := []networkingv1.NetworkPolicyPort{{Port: &intstr.IntOrString{IntVal: 9000}}}
		policyOf(i, "mail").Egress = append(policyOf(i, "mail").Egress, networkingv1.NetworkPolicyEgressRule{To: []networkingv1.NetworkPolicyPeer{narration}, Ports: port})
		policyOf(i, "narration").Ingress = append(policyOf(i, "narration").Ingress, networkingv1.NetworkPolicyIngressRule{From: []networkingv1.NetworkPolicyPeer{mail}, Ports: port})
		i.documented.edges = append(slices.Clone(i.documented.edges), edgeRow{[]string{"mail"}, []string{"narration"}, []string{"9000"}, []string{"dev"}})
	}},
	{"an issuer that nobody leads to", "dev", "issuer", func(i *Installation) { unset(container(i), "OIDC_ISSUER") }},
	{"a listener without TLS", "prod", "routes", func(i *Installation) { named[*gatewayv1.Gateway](i, "serein").Spec.Listeners[0].TLS = nil }},
	{"a product over plain HTTP", "prod", "routes", func(i *Installation) {
		plain := gatewayv1.SectionName("plain")
		named[*gatewayv1.HTTPRoute](i, "gateway").Spec.ParentRefs[0].SectionName = &plain
	}},
	{"a route to nothing", "prod", "routes", func(i *Installation) {
		named[*gatewayv1.HTTPRoute](i, "gateway").Spec.Rules[0].BackendRefs[0].Name = "getaway"
	}},
	{"a route whose time the proxy chooses", "prod", "routes", func(i *Installation) {
		named[*gatewayv1.HTTPRoute](i, "delivery").Spec.Rules[0].Timeouts = nil
	}},
	{"a route into the inside", "prod", "routes", func(i *Installation) {
		port := gatewayv1.PortNumber(9000)
		named[*gatewayv1.HTTPRoute](i, "gateway").Spec.Rules[0].BackendRefs[0].Port = &port
	}},
	{"another host than the program's", "prod", "routes", func(i *Installation) {
		named[*gatewayv1.HTTPRoute](i, "identity").Spec.Hostnames[0] = "login.serein.example"
	}},
}
