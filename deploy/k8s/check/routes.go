package check

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

func upper(name string) string { return strings.ToUpper(name) }

func (i *Installation) gateways() []*gatewayv1.Gateway { return of[*gatewayv1.Gateway](i) }

// publicAddresses are the settings with an address that browsers and readers know.
var publicAddresses = []string{"PUBLIC_URL", "OIDC_ISSUER", "DELIVERY_URL"}

// routes: every way in is under TLS but for the one that leads there, leads to a port of a Service within a time that it names, and has the
// name that the programs believe to have.
func routes(i *Installation) (said []string) {
	plain := map[string]bool{}
	for _, gateway := range i.gateways() {
		for _, l := range gateway.Spec.Listeners {
			switch {
			case l.Protocol == gatewayv1.HTTPProtocolType:
				plain[string(l.Name)] = true
			case l.Protocol != gatewayv1.HTTPSProtocolType || l.TLS == nil || len(l.TLS.CertificateRefs) == 0 || l.TLS.Mode == nil || *l.TLS.Mode != gatewayv1.TLSModeTerminate:
				said = append(said, fmt.Sprintf("Gateway %s: listener %s is not under TLS", gateway.Name, l.Name))
			}
		}
	}
	for _, route := range of[*gatewayv1.HTTPRoute](i) {
		said = append(said, i.route(route, plain)...)
	}
	if i.Name == "prod" {
		said = append(said, i.unreachable()...)
	}
	return said
}

func (i *Installation) route(route *gatewayv1.HTTPRoute, plain map[string]bool) (said []string) {
	onPlain := false
	for _, parent := range route.Spec.ParentRefs {
		if !i.hasListener(parent) {
			said = append(said, fmt.Sprintf("HTTPRoute %s: there is no such listener", route.Name))
			continue
		}
		onPlain = onPlain || plain[string(*parent.SectionName)]
	}
	for _, rule := range route.Spec.Rules {
		if onPlain && len(rule.BackendRefs) > 0 {
			said = append(said, fmt.Sprintf("HTTPRoute %s leads to a program without TLS", route.Name))
		}
		if len(rule.BackendRefs) > 0 && (rule.Timeouts == nil || rule.Timeouts.Request == nil) {
			said = append(said, fmt.Sprintf("HTTPRoute %s: how long a request may take is left to the proxy", route.Name))
		}
		for _, backend := range rule.BackendRefs {
			if !i.hasServicePort(backend.BackendObjectReference) {
				said = append(said, fmt.Sprintf("HTTPRoute %s: there is no port of Service %s", route.Name, backend.Name))
			}
		}
	}
	return said
}

// hasListener wants a listener to be named: a route of all listeners would be one of the plain one too.
func (i *Installation) hasListener(parent gatewayv1.ParentReference) bool {
	for _, gateway := range i.gateways() {
		for _, l := range gateway.Spec.Listeners {
			if string(parent.Name) == gateway.Name && parent.SectionName != nil && *parent.SectionName == l.Name {
				return true
			}
		}
	}
	return false
}

func (i *Installation) hasServicePort(ref gatewayv1.BackendObjectReference) bool {
	service := named[*corev1.Service](i, string(ref.Name))
	return service != nil && ref.Port != nil && slices.ContainsFunc(service.Spec.Ports, func(p corev1.ServicePort) bool { return p.Port == *ref.Port && p.Name == "public" })
}

// unreachable names the public addresses that no route leads to.
func (i *Installation) unreachable() (said []string) {
	hosts := map[string]bool{}
	for _, route := range of[*gatewayv1.HTTPRoute](i) {
		for _, host := range route.Spec.Hostnames {
			hosts[string(host)] = true
		}
	}
	for _, w := range i.programs() {
		for _, name := range publicAddresses {
			v := w.variable(name)
			if v == nil {
				continue
			}
			address, err := url.Parse(i.value(v))
			if err != nil || address.Scheme != "https" || !hosts[address.Hostname()] {
				said = append(said, fmt.Sprintf("%s: no route leads to %s under TLS", w, name))
			}
		}
	}
	return said
}
