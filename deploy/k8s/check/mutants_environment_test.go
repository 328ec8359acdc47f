package check

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var environmentMutants = []mutant{
	{"a plain address in prod", "prod", "TLS inside", func(i *Installation) {
		set(container(i), corev1.EnvVar{Name: "CONTENT_URL", Value: "http://content:9000"})
	}},
	{"a network that is trusted in prod", "prod", "TLS inside", func(i *Installation) {
		set(container(i), corev1.EnvVar{Name: "TRUSTED_NETWORK", Value: "true"})
	}},
	{"nobody narrates", "dev", "roles", func(i *Installation) {
		set(&named[*appsv1.Deployment](i, "narration").Spec.Template.Spec.Containers[0], corev1.EnvVar{Name: "GENERATION_ROLE", Value: "requests"})
	}},
	{"members' requests wait behind narration", "dev", "roles", func(i *Installation) {
		unset(&named[*appsv1.Deployment](i, "generation").Spec.Template.Spec.Containers[0], "GENERATION_ROLE")
	}},
	{"a secret in clear", "dev", "no secret in clear", func(i *Installation) {
		set(&stateful(i, "nats").Containers[0], corev1.EnvVar{Name: "NATS_PASSWORD", Value: "hunter2"})
	}},
	{"an address with a password", "dev", "no secret in clear", func(i *Installation) {
		set(container(i), corev1.EnvVar{Name: "OTEL_EXPORTER_OTLP_ENDPOINT", Value: "http://collector:hunter2@collector"})
	}},
	{"a secret among the manifests", "dev", "no secret in clear", func(i *Installation) {
		i.Objects = append(i.Objects, &corev1.Secret{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"}, ObjectMeta: metav1.ObjectMeta{Name: "billing", Namespace: namespace}})
	}},
	{"a password in a ConfigMap", "dev", "no secret in clear", func(i *Installation) {
		of[*corev1.ConfigMap](i)[0].Data["OTHER"] = "redis://:hunter2@redis"
	}},
	{"another program's secret", "dev", "secrets of the table", func(i *Installation) {
		secretOf(container(i), "SERVICE_KEY").Name = "mail"
	}},
	{"a key that the table does not have", "dev", "secrets of the table", func(i *Installation) {
		set(container(i), corev1.EnvVar{Name: "NATS_NKEY", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
			LocalObjectReference: corev1.LocalObjectReference{Name: "billing"}, Key: "NKEY",
		}}})
	}},
	{"a secret that nothing writes", "prod", "secrets of the table", func(i *Installation) { i.without("ExternalSecret", "billing") }},
	{"a certificate that nothing writes", "prod", "secrets of the table", func(i *Installation) { i.without("Certificate", "billing") }},
	{"the database's authority for who has no database", "prod", "secrets of the table", func(i *Installation) {
		pod := &named[*appsv1.Deployment](i, "gateway").Spec.Template.Spec
		pod.Volumes = append(pod.Volumes, corev1.Volume{Name: "postgres-ca", VolumeSource: corev1.VolumeSource{
			Secret: &corev1.SecretVolumeSource{SecretName: "postgres-ca", Items: []corev1.KeyToPath{{Key: "ca.crt", Path: "ca.crt"}}},
		}})
	}},
	{"a variable that nobody reads", "dev", "known variables", func(i *Installation) {
		set(container(i), corev1.EnvVar{Name: "CONTENT_ADDRESS", Value: "content"})
	}},
	{"a variable of another program", "dev", "known variables", func(i *Installation) {
		set(container(i), corev1.EnvVar{Name: "ASSETS_DIR", Value: "/app"})
	}},
	{"a required variable that is missing", "dev", "required variables", func(i *Installation) { unset(container(i), "CONTENT_URL") }},
	{"a listener elsewhere", "dev", "required variables", func(i *Installation) {
		set(container(i), corev1.EnvVar{Name: "INTERNAL_ADDR", Value: ":9001"})
	}},
	{"a setting that is missing", "dev", "references", func(i *Installation) {
		for _, settings := range of[*corev1.ConfigMap](i) {
			delete(settings.Data, "MAIL_FROM")
		}
	}},
	{"a claim that is missing", "dev", "references", func(i *Installation) { i.without("PersistentVolumeClaim", "generation-blobs") }},
	{"an account that is missing", "dev", "references", func(i *Installation) { i.without("ServiceAccount", "billing") }},
	{"a mount of no volume", "dev", "references", func(i *Installation) {
		container(i).VolumeMounts = append(container(i).VolumeMounts, corev1.VolumeMount{Name: "tls", MountPath: "/tls"})
	}},
}

func secretOf(c *corev1.Container, name string) *corev1.SecretKeySelector {
	for v := range c.Env {
		if c.Env[v].Name == name {
			return c.Env[v].ValueFrom.SecretKeyRef
		}
	}
	return nil
}
