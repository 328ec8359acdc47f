package check

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

// clusterScoped are kinds that have no namespace.
var clusterScoped = map[string]bool{"Namespace": true}

// inNamespace: everything is in the one namespace, which enforces the restricted level.
func inNamespace(i *Installation) (said []string) {
	for _, o := range i.Objects {
		if kind := kindOf(o).Kind; o.GetNamespace() != namespace && !clusterScoped[kind] {
			said = append(said, fmt.Sprintf("%s %s is in namespace %q", kind, o.GetName(), o.GetNamespace()))
		}
	}
	if ns := named[*corev1.Namespace](i, namespace); ns == nil || ns.Labels[api.EnforceLevelLabel] != string(api.LevelRestricted) {
		said = append(said, "the namespace does not enforce the restricted level")
	}
	return said
}

// podSecurity is the API server's own judgement by the restricted level.
func podSecurity(i *Installation) (said []string) {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		return []string{err.Error()}
	}
	restricted := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	for _, w := range i.Workloads() {
		result := policy.AggregateCheckResults(evaluator.EvaluatePod(restricted, &w.Pod.ObjectMeta, &w.Pod.Spec))
		if !result.Allowed {
			said = append(said, fmt.Sprintf("%s: %s", w, result.ForbiddenDetail()))
		}
	}
	return said
}

// readOnlyRoot: nothing is written but to volumes.
func readOnlyRoot(i *Installation) (said []string) {
	for _, w := range i.Workloads() {
		for _, c := range w.containers() {
			if c.SecurityContext == nil || c.SecurityContext.ReadOnlyRootFilesystem == nil || !*c.SecurityContext.ReadOnlyRootFilesystem {
				said = append(said, fmt.Sprintf("%s: %s may write to its root", w, c.Name))
			}
		}
	}
	return said
}

// noToken: no pod gets a token of the API server, and no service account would give one.
func noToken(i *Installation) (said []string) {
	for _, w := range i.Workloads() {
		if mount := w.Pod.Spec.AutomountServiceAccountToken; mount == nil || *mount {
			said = append(said, w.String()+" gets a token")
		}
	}
	for _, account := range of[*corev1.ServiceAccount](i) {
		if mount := account.AutomountServiceAccountToken; mount == nil || *mount {
			said = append(said, "ServiceAccount "+account.Name+" gives a token")
		}
	}
	return said
}

// fixedImages: what runs is what was tried.
func fixedImages(i *Installation) (said []string) {
	for _, w := range i.Workloads() {
		for _, c := range w.containers() {
			name := c.Image[strings.LastIndex(c.Image, "/")+1:]
			if _, tag, ok := strings.Cut(name, ":"); !ok || tag == "latest" || tag == "" {
				said = append(said, fmt.Sprintf("%s: %s has no fixed tag", w, c.Image))
			}
		}
	}
	return said
}

// boundedResources: a container says what it needs and cannot take more than its share.
func boundedResources(i *Installation) (said []string) {
	for _, w := range i.Workloads() {
		for _, c := range w.containers() {
			for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
				request, limit := c.Resources.Requests[name], c.Resources.Limits[name]
				if request.IsZero() || limit.IsZero() || request.Cmp(limit) > 0 {
					said = append(said, fmt.Sprintf("%s: %s of %s: requests %s, limit %s", w, name, c.Name, request.String(), limit.String()))
				}
			}
		}
	}
	return said
}

// probes: a program is asked on its internal listener, whether it lives and whether it is ready being two questions; anything else that
// goes on running is asked too.
func probes(i *Installation) (said []string) {
	for _, w := range i.Workloads() {
		if w.Kind == "Job" {
			continue
		}
		c := w.main()
		for name, probe := range map[string]*corev1.Probe{"startup": c.StartupProbe, "liveness": c.LivenessProbe, "readiness": c.ReadinessProbe} {
			path := map[bool]string{true: "/readyz", false: "/healthz"}[name == "readiness"]
			switch {
			case probe == nil:
				said = append(said, fmt.Sprintf("%s has no %s probe", w, name))
			case w.Labels[kindLabel] == "program" && !asks(probe, path):
				said = append(said, fmt.Sprintf("%s: the %s probe does not ask %s of the internal listener", w, name, path))
			}
		}
	}
	return said
}

func asks(probe *corev1.Probe, path string) bool {
	return probe.HTTPGet != nil && probe.HTTPGet.Path == path && probe.HTTPGet.Port == intstr.FromString("internal")
}

// closing is what a program takes after its drain, at most: shutdownTime of services/platform/server for handlers and streams, and once
// more for what is closed after them.
const closing = 2 * 15 * time.Second

// idle is how long a program keeps a connection that it does not use (outgoing.IdleTime): one that a pod closes after its drain has been
// unused for longer, so that no request meets its end.
const idle = 5 * time.Second

// drains: a pod that ends answers until everybody has noticed, and is not killed before it is done.
func drains(i *Installation) (said []string) {
	for _, w := range i.programs() {
		delay, err := time.ParseDuration(i.value(w.variable("DRAIN_DELAY")))
		if err != nil || delay <= idle {
			said = append(said, w.String()+" does not go on answering when it ends: DRAIN_DELAY")
			continue
		}
		if grace := w.Pod.Spec.TerminationGracePeriodSeconds; grace == nil || time.Duration(*grace)*time.Second < delay+closing+5*time.Second {
			said = append(said, w.String()+" may be killed before it has drained: terminationGracePeriodSeconds")
		}
	}
	return said
}

// writableFolders: /tmp and the folder of compiled modules are empty volumes, which the pod takes with it.
func writableFolders(i *Installation) (said []string) {
	for _, w := range i.programs() {
		folders := []string{"/tmp"}
		if cache := i.value(w.variable("WASM_CACHE_DIR")); cache != "" {
			folders = append(folders, cache)
		}
		for _, folder := range folders {
			if !emptyAt(w, folder) {
				said = append(said, fmt.Sprintf("%s cannot write to %s", w, folder))
			}
		}
	}
	return said
}

func emptyAt(w Workload, folder string) bool {
	for _, mount := range w.main().VolumeMounts {
		for _, volume := range w.Pod.Spec.Volumes {
			if mount.MountPath == folder && !mount.ReadOnly && volume.Name == mount.Name && volume.EmptyDir != nil {
				return true
			}
		}
	}
	return false
}
