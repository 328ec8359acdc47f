package check

import (
	"fmt"
	"strings"

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
