package check

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

var certificateMutants = []mutant{
	{"a broker that keeps its first certificate", "prod", "certificates", func(i *Installation) {
		pod := stateful(i, "nats")
		pod.Containers = pod.Containers[:1]
	}},
	{"a cache that keeps its first certificate", "prod", "certificates", func(i *Installation) {
		pod := stateful(i, "redis-replica")
		pod.Containers = pod.Containers[:1]
	}},
	{"a signal that does not reach the broker", "prod", "certificates", func(i *Installation) { stateful(i, "nats").ShareProcessNamespace = nil }},
	{"a sidecar that does not see the certificate", "prod", "certificates", func(i *Installation) {
		c := &stateful(i, "redis").Containers[1]
		c.VolumeMounts = slices.DeleteFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.Name == "tls" })
	}},
	{"a sidecar that looks at another file", "prod", "certificates", func(i *Installation) {
		command := stateful(i, "nats").Containers[1].Command
		command[3] = "/etc/nats/nats.conf"
	}},
	{"a sidecar that has another file read", "prod", "certificates", func(i *Installation) {
		command := stateful(i, "redis").Containers[1].Command
		command[2] = strings.ReplaceAll(command[2], "/etc/redis-tls", "/tls")
	}},
	{"a program that does not know its certificate", "prod", "certificates", func(i *Installation) {
		set(container(i), corev1.EnvVar{Name: "TLS_CERT_FILE", Value: "/etc/serein/billing/tls.crt"})
	}},
}
