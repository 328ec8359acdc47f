package check

import (
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var otherMutants = []mutant{
	{"a namespace that enforces nothing", "dev", "namespace", func(i *Installation) { named[*corev1.Namespace](i, namespace).Labels = nil }},
	{"an object elsewhere", "dev", "namespace", func(i *Installation) { named[*corev1.Service](i, "billing").Namespace = "default" }},
	{"a migration that is missing", "dev", "migrations", func(i *Installation) {
		job := named[*batchv1.Job](i, "billing-migrate")
		job.Name = "billing-migration"
	}},
	{"a migration of another release", "dev", "migrations", func(i *Installation) {
		named[*batchv1.Job](i, "billing-migrate").Spec.Template.Spec.Containers[0].Image = "serein/billing:0.9.0"
	}},
	{"a migration after the roll-out", "dev", "migrations", func(i *Installation) {
		delete(named[*appsv1.Deployment](i, "billing").Annotations, waveAnnotation)
	}},
	{"a migration as the service", "dev", "migrations", func(i *Installation) {
		secretOf(&named[*batchv1.Job](i, "billing-migrate").Spec.Template.Spec.Containers[0], "MIGRATE_DATABASE_URL").Name = "mail-migrate"
	}},
	{"a database that nothing makes", "dev", "migrations", func(i *Installation) {
		c := &named[*batchv1.Job](i, "provision").Spec.Template.Spec.Containers[0]
		unset(c, "BILLING_MIGRATE_DATABASE_URL")
	}},
	{"one broker", "prod", "three of each store", func(i *Installation) { *named[*appsv1.StatefulSet](i, "nats").Spec.Replicas = 1 }},
	{"two databases", "prod", "three of each store", func(i *Installation) {
		_ = unstructured.SetNestedField(i.custom("Cluster")[0].Object, int64(2), "spec", "instances")
	}},
	{"events on one broker", "prod", "three of each store", func(i *Installation) { unset(container(i), "NATS_STREAM_REPLICAS") }},
	{"more pods than the database has connections for", "prod", "connections", func(i *Installation) {
		i.scalerOf(i.programs()[0]).Spec.MaxReplicas = 60
	}},
	{"a roll-out that doubles the pods", "prod", "connections", func(i *Installation) {
		all := intstr.FromString("100%")
		named[*appsv1.Deployment](i, "narration").Spec.Strategy.RollingUpdate.MaxSurge = &all
	}},
	{"as many connections as the pools have", "prod", "connections", func(i *Installation) {
		_ = unstructured.SetNestedField(i.custom("Cluster")[0].Object, "400", "spec", "postgresql", "parameters", "max_connections")
	}},
	{"more connections than the database has memory for", "prod", "memory of stores", func(i *Installation) {
		_ = unstructured.SetNestedField(i.custom("Cluster")[0].Object, "900", "spec", "postgresql", "parameters", "max_connections")
	}},
	{"a cache that its limit kills", "prod", "memory of stores", func(i *Installation) {
		for _, settings := range of[*corev1.ConfigMap](i) {
			if conf, ok := settings.Data["redis.conf"]; ok {
				settings.Data["redis.conf"] = strings.ReplaceAll(conf, "maxmemory 256mb", "maxmemory 512mb")
			}
		}
	}},
	{"a cache without bounds", "dev", "memory of stores", func(i *Installation) {
		c := &stateful(i, "redis").Containers[0]
		c.Command = c.Command[:len(c.Command)-2]
	}},
	{"a broker that is followed before it has caught up", "prod", "three of each store", func(i *Installation) {
		stateful(i, "nats").Containers[0].StartupProbe.HTTPGet.Path = "/healthz?js-enabled-only=true"
	}},
	{"a broker that does not sync", "dev", "three of each store", func(i *Installation) {
		for _, settings := range of[*corev1.ConfigMap](i) {
			if _, ok := settings.Data["nats.conf"]; ok {
				settings.Data["nats.conf"] = "jetstream {}"
			}
		}
	}},
}
