package check

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const mebibyte = 1 << 20

// backend is the memory of one connection of the database in bytes: 2 to 3 MiB for its process, and work_mem, 4 MiB, while the connection
// sorts.
const backend = 6 * mebibyte

// storesMemory: a store keeps below its limit by itself. One that the kernel ends for it is away, with all that asks it.
func storesMemory(i *Installation) (said []string) {
	for _, cluster := range i.custom("Cluster") {
		limit, err := resource.ParseQuantity(nested[string](cluster, "spec", "resources", "limits", "memory"))
		if err != nil {
			said = append(said, "the database has no limit of memory")
			continue
		}
		if needed := databaseMemory(cluster); needed == 0 || needed > limit.Value() {
			said = append(said, fmt.Sprintf("the database takes up to %d MiB, and has %s", needed/mebibyte, limit.String()))
		}
	}
	for _, name := range []string{"redis", "redis-replica"} {
		cache := named[*appsv1.StatefulSet](i, name)
		if cache == nil {
			continue
		}
		c := &cache.Spec.Template.Spec.Containers[0]
		// While the log is rewritten, a copy of what changes meanwhile comes to it, and the buffers of clients in any case.
		if most, limit := i.maxmemory(c), c.Resources.Limits.Memory().Value(); most == 0 || most > limit*3/5 {
			said = append(said, fmt.Sprintf("%s keeps up to %d MiB, and has %d", name, most/mebibyte, limit/mebibyte))
		}
	}
	return said
}

// databaseMemory is what the database takes at most with all its connections, in bytes; 0 where it does not say.
func databaseMemory(cluster *unstructured.Unstructured) int64 {
	parameter := func(name string) string {
		return nested[string](cluster, "spec", "postgresql", "parameters", name)
	}
	connections, err := strconv.ParseInt(parameter("max_connections"), 10, 64)
	shared, sharedErr := strconv.ParseInt(strings.TrimSuffix(parameter("shared_buffers"), "MB"), 10, 64)
	if err != nil || sharedErr != nil {
		return 0
	}
	return shared*mebibyte + connections*backend
}

var maxmemory = regexp.MustCompile(`maxmemory (\d+)mb\b`)

// maxmemory is how many bytes a cache keeps at most, by its command or its configuration; 0 without a bound.
func (i *Installation) maxmemory(c *corev1.Container) int64 {
	said := c.Command
	if slices.ContainsFunc(said, func(word string) bool { return strings.HasSuffix(word, "/redis.conf") }) {
		for _, settings := range of[*corev1.ConfigMap](i) {
			said = append(slices.Clone(said), settings.Data["redis.conf"])
		}
	}
	match := maxmemory.FindStringSubmatch(strings.Join(said, " "))
	if match == nil {
		return 0
	}
	mib, err := strconv.ParseInt(match[1], 10, 64)
	if err != nil {
		return 0
	}
	return mib * mebibyte
}
