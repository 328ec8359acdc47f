package check

import "slices"

// rule is one thing that manifests must keep to. check says where they do not.
type rule struct {
	name  string
	check func(*Installation) []string
}

// rules are all of them. Each notices what the others do not, so that a fault has one name.
var rules = []rule{
	{"namespace", inNamespace},
	{"pod security", podSecurity},
	{"read-only root", readOnlyRoot},
	{"no token", noToken},
	{"fixed images", fixedImages},
	{"bounded resources", boundedResources},
	{"probes", probes},
	{"drain", drains},
	{"writable folders", writableFolders},
	{"replicas or a scaler", replicasOrScaler},
	{"scaler's target", scalerTargets},
	{"scaler's metric", scalerMetrics},
	{"disruption budget", budgets},
	{"spread", spreads},
	{"own pods", ownPods},
	{"service's pods", servicePods},
	{"default deny", defaultDeny},
	{"edges", edgesOfTheTable},
	{"edges of the code", edgesOfTheCode},
	{"issuer", issuers},
	{"no secret in clear", noSecretInClear},
	{"secrets of the table", secretsOfTheTable},
	{"known variables", knownVariables},
	{"required variables", requiredVariables},
	{"references", references},
	{"TLS inside", tlsInside},
	{"roles", roles},
	{"migrations", migrations},
	{"routes", routes},
	{"three of each store", threeOfEachStore},
	{"connections", connections},
	{"memory of stores", storesMemory},
	{"certificates", rereads},
}

// Findings are what the rules say, by their names. A rule that is kept says nothing.
func (i *Installation) Findings() map[string][]string {
	found := map[string][]string{}
	for _, r := range rules {
		if said := r.check(i); len(said) > 0 {
			slices.Sort(said)
			found[r.name] = said
		}
	}
	return found
}
