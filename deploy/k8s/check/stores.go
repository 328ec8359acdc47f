package check

import (
	"fmt"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// threeOfEachStore: where people pay, losing one machine loses no row and no event, and a session only where two go.
func threeOfEachStore(i *Installation) (said []string) {
	for _, settings := range of[*corev1.ConfigMap](i) {
		if conf, ok := settings.Data["nats.conf"]; ok && !strings.Contains(conf, "sync_interval: always") {
			said = append(said, "the broker acknowledges what is not on disk")
		}
	}
	if i.Name != "prod" {
		return said
	}
	pods := map[string]int32{}
	for _, w := range i.Workloads() {
		pods[w.Name] = i.fewest(w)
	}
	if pods["nats"] != 3 || pods["redis"]+pods["redis-replica"] != 2 {
		said = append(said, fmt.Sprintf("there are %d brokers and %d caches", pods["nats"], pods["redis"]+pods["redis-replica"]))
	}
	if broker := named[*appsv1.StatefulSet](i, "nats"); broker != nil {
		if probe := broker.Spec.Template.Spec.Containers[0].StartupProbe; probe == nil || probe.HTTPGet == nil || probe.HTTPGet.Path != "/healthz" {
			said = append(said, "a roll-out takes the next broker before this one has caught up with its streams")
		}
	}
	for _, cluster := range i.custom("Cluster") {
		if instances := nested[int64](cluster, "spec", "instances"); instances != 3 {
			said = append(said, fmt.Sprintf("the database has %d servers", instances))
		}
	}
	for _, w := range i.programs() {
		if i.value(w.variable("NATS_STREAM_REPLICAS")) != "3" {
			said = append(said, w.String()+" keeps its events on fewer than three brokers")
		}
	}
	return said
}

// spareConnections are those that the operator, copies and people have beside the programs.
const spareConnections = 25

// beside are the connections that a pod has beside its pool, by its program. The listener of background jobs takes one out of the pool for
// good, which opens another in its place (Work of services/platform/service); generation listens for its own changes by one more
// (NewNotifier), and content's readers have a pool of theirs (Connections of services/content/internal/postgres/reader).
var beside = map[string]int{"identity": 1, "billing": 1, "mail": 1, "generation": 1 + 1, "content": 3}

// connections: the database takes as many as the programs open when each has all the pods that its autoscaler allows, and in a roll-out
// those that come before others go.
func connections(i *Installation) (said []string) {
	opened := 0
	for _, w := range i.programs() {
		if w.variable("DATABASE_URL") == nil {
			continue
		}
		pool, err := strconv.Atoi(i.valueOrDefault(w, "DATABASE_MAX_CONNS"))
		if err != nil {
			return []string{w.String() + ": DATABASE_MAX_CONNS is no number"}
		}
		opened += (pool + beside[w.program()]) * (int(i.most(w)) + w.surge(int(i.most(w))))
	}
	for _, cluster := range i.custom("Cluster") {
		taken, err := strconv.Atoi(nested[string](cluster, "spec", "postgresql", "parameters", "max_connections"))
		if err != nil || taken < opened+spareConnections {
			said = append(said, fmt.Sprintf("the database takes %d connections, and the programs open %d", taken, opened))
		}
	}
	return said
}

// valueOrDefault is what a program's variable has here, or else its default.
func (i *Installation) valueOrDefault(w Workload, name string) string {
	if v := w.variable(name); v != nil {
		return i.value(v)
	}
	for _, v := range i.variables[w.program()] {
		if v.Name == name {
			return v.Default
		}
	}
	return ""
}
