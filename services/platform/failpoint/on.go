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
	c := &counters{left: map[string]int{}}
	for entry := range strings.SplitSeq(os.Getenv("FAILPOINTS"), ",") {
		name, n, _ := strings.Cut(entry, ":")
		times, err := strconv.Atoi(n)
		if err != nil {
			times = 1
		}
		if name != "" {
			c.left[name] = times
		}
	}
	return c
})

type counters struct {
	mu   sync.Mutex
	left map[string]int
}

// Pass kills the process by SIGKILL where its turn has come: nothing is closed, flushed or answered. The last line of its log says so,
// so that whoever counts can tell this death from others.
func Pass(name string) {
	c := points()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left[name] == 0 {
		return
	}
	if c.left[name]--; c.left[name] == 0 {
		_, _ = os.Stderr.WriteString(Said(name))
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // it is on its way
	}
}
