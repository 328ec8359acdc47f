//go:build failpoints

package failpoint

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// Built says whether failpoints are built in.
const Built = true

// points are those of FAILPOINTS, "name:n,name:n": the n-th pass kills, so that n-1 are lived through.
var points = sync.OnceValue(func() *counters {
	c := &counters{left: map[Point]int{}}
	for entry := range strings.SplitSeq(os.Getenv("FAILPOINTS"), ",") {
		name, n, _ := strings.Cut(entry, ":")
		times, err := strconv.Atoi(n)
		if err != nil {
			times = 1
		}
		if name != "" {
			c.left[Point(name)] = times
		}
	}
	return c
})

type counters struct {
	mu   sync.Mutex
	left map[Point]int
}

// Pass kills the process by SIGKILL where its turn has come: nothing is closed, flushed or answered. The last line of its log says so,
// so that a count of deaths can tell this one from others.
func Pass(p Point) {
	c := points()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left[p] == 0 {
		return
	}
	if c.left[p]--; c.left[p] == 0 {
		_, _ = os.Stderr.WriteString(Said(p))
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // it is on its way
	}
}
