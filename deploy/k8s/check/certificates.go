package check

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// rereads: a certificate is renewed ten days before its end, and who goes on with the one of its start is refused by everybody after that.
// So what is given one reads it again: the programs by themselves (services/platform/mtls), others by a container beside them.
func rereads(i *Installation) (said []string) {
	for _, w := range i.Workloads() {
		for _, volume := range w.Pod.Spec.Volumes {
			if volume.Secret == nil || !i.certified(volume.Secret.SecretName) {
				continue
			}
			if path := mountOf(w.main(), volume.Name); path != "" && !w.rereads(i, volume.Name, path) {
				said = append(said, fmt.Sprintf("%s does not read the certificate of secret %s again", w, volume.Secret.SecretName))
			}
		}
	}
	return said
}

// certified says whether a Certificate writes the secret.
func (i *Installation) certified(secret string) bool {
	return slices.ContainsFunc(i.custom("Certificate"), func(c *unstructured.Unstructured) bool {
		return nested[string](c, "spec", "secretName") == secret
	})
}

func mountOf(c *corev1.Container, volume string) string {
	for _, mount := range c.VolumeMounts {
		if mount.Name == volume {
			return mount.MountPath
		}
	}
	return ""
}

// rereads says whether a workload does so with the certificate in its volume, which is at path in its main container.
func (w Workload) rereads(i *Installation, volume, path string) bool {
	if w.Labels[kindLabel] == "program" {
		return strings.HasPrefix(i.value(w.variable("TLS_CERT_FILE")), path+"/")
	}
	return slices.ContainsFunc(w.containers(), func(c *corev1.Container) bool {
		own := mountOf(c, volume)
		return c.Name != w.main().Name && own != "" && slices.Contains(c.Command, own+"/tls.crt") && w.reloads(strings.Join(c.Command, " "), path)
	})
}

// reloads says whether a command makes the main container read the files at path: by a signal, for which they share their processes, or by
// the store's own command.
func (w Workload) reloads(command, path string) bool {
	if strings.Contains(command, "kill -HUP") {
		return w.Pod.Spec.ShareProcessNamespace != nil && *w.Pod.Spec.ShareProcessNamespace
	}
	return strings.Contains(command, "config set tls-cert-file "+path+"/tls.crt tls-key-file "+path+"/tls.key")
}
