package check

import (
	"fmt"
	"os"
	"path/filepath"
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

// opened are calls in a service's wiring that open connections beside its pool, with how many. The listener of background jobs takes one out
// of the pool for good, which opens another in its place (Work of services/platform/service); generation listens for its own changes by one
// more, and content's readers have a pool of theirs (Connections of services/content/internal/delivery/postgres).
var opened = map[string]int{"s.Work(": 1, "store.NewNotifier(": 1, "reader.Open(": 3}

// connectionsBeside counts the connections that a pod of a program has beside its pool.
func connectionsBeside(root, program string) (found int, err error) {
	files, err := filepath.Glob(filepath.Join(root, "services", program, "*.go"))
	if err != nil {
		return 0, err
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		for call, connections := range opened {
			found += connections * strings.Count(string(text), call)
		}
	}
	return found, nil
}

// connections: the database takes as many as the programs open when each has all the pods that its autoscaler allows, and in a roll-out
// those that come before others go.
func connections(i *Installation) (said []string) {
	needed := 0
	for _, w := range i.programs() {
		if w.variable("DATABASE_URL") == nil {
			continue
		}
		pool, err := strconv.Atoi(i.valueOrDefault(w, "DATABASE_MAX_CONNS"))
		if err != nil {
			return []string{w.String() + ": DATABASE_MAX_CONNS is no number"}
		}
		needed += (pool + i.beside[w.program()]) * (int(i.most(w)) + w.surge(int(i.most(w))))
	}
	for _, cluster := range i.custom("Cluster") {
		taken, err := strconv.Atoi(nested[string](cluster, "spec", "postgresql", "parameters", "max_connections"))
		if err != nil || taken < needed+spareConnections {
			said = append(said, fmt.Sprintf("the database takes %d connections, and the programs open %d", taken, needed))
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
