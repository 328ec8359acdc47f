package check

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var podMutants = []mutant{
	{"root", "dev", "pod security", func(i *Installation) { billing(i).SecurityContext.RunAsUser = new(int64) }},
	{"perhaps root", "dev", "pod security", func(i *Installation) { billing(i).SecurityContext.RunAsNonRoot = nil }},
	{"a capability", "dev", "pod security", func(i *Installation) {
		container(i).SecurityContext.Capabilities.Add = []corev1.Capability{"NET_ADMIN"}
	}},
	{"privilege escalation", "prod", "pod security", func(i *Installation) { container(i).SecurityContext.AllowPrivilegeEscalation = nil }},
	{"a folder of the host", "dev", "pod security", func(i *Installation) {
		billing(i).Volumes = append(billing(i).Volumes, corev1.Volume{Name: "host", VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/"}}})
	}},
	{"the host's network", "dev", "pod security", func(i *Installation) { billing(i).HostNetwork = true }},
	{"no seccomp", "dev", "pod security", func(i *Installation) { billing(i).SecurityContext.SeccompProfile = nil }},
	{"a sidecar as root", "dev", "pod security", func(i *Installation) {
		billing(i).InitContainers[0].SecurityContext.RunAsUser = new(int64)
	}},
	{"a writable root", "dev", "read-only root", func(i *Installation) { container(i).SecurityContext.ReadOnlyRootFilesystem = nil }},
	{"a token for the pod", "dev", "no token", func(i *Installation) { billing(i).AutomountServiceAccountToken = nil }},
	{"an account that gives tokens", "dev", "no token", func(i *Installation) {
		named[*corev1.ServiceAccount](i, "mail").AutomountServiceAccountToken = nil
	}},
	{"latest", "dev", "fixed images", func(i *Installation) { stateful(i, "nats").Containers[0].Image = "docker.io/library/nats:latest" }},
	{"no tag", "dev", "fixed images", func(i *Installation) { stateful(i, "nats").Containers[0].Image = "registry.example:5000/nats" }},
	{"no limits", "dev", "bounded resources", func(i *Installation) { container(i).Resources.Limits = nil }},
	{"no request of memory", "prod", "bounded resources", func(i *Installation) { delete(container(i).Resources.Requests, corev1.ResourceMemory) }},
	{"no liveness probe", "dev", "probes", func(i *Installation) { container(i).LivenessProbe = nil }},
	{"no startup probe", "dev", "probes", func(i *Installation) { stateful(i, "postgres").Containers[0].StartupProbe = nil }},
	{"ready without asking", "dev", "probes", func(i *Installation) { container(i).ReadinessProbe.HTTPGet.Path = "/healthz" }},
	{"probes by the public port", "dev", "probes", func(i *Installation) {
		container(i).LivenessProbe.HTTPGet.Port = intstr.FromString("public")
	}},
	{"no drain", "dev", "drain", func(i *Installation) { unset(container(i), "DRAIN_DELAY") }},
	{"a grace shorter than the drain", "dev", "drain", func(i *Installation) { *billing(i).TerminationGracePeriodSeconds = 30 }},
	{"no cache to write to", "dev", "writable folders", func(i *Installation) {
		c := &named[*appsv1.Deployment](i, "content").Spec.Template.Spec.Containers[0]
		c.VolumeMounts = slices.DeleteFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.Name == "cache" })
	}},
}

func stateful(i *Installation, name string) *corev1.PodSpec {
	return &named[*appsv1.StatefulSet](i, name).Spec.Template.Spec
}

func unset(c *corev1.Container, name string) {
	c.Env = slices.DeleteFunc(c.Env, func(v corev1.EnvVar) bool { return v.Name == name })
}

func set(c *corev1.Container, v corev1.EnvVar) {
	unset(c, v.Name)
	c.Env = append(c.Env, v)
}
