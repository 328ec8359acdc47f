// Package clock is a clock that tests move. Test only.
package clock

import (
	"sync"
	"time"
)

// Clock stands still until it is moved.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// New starts at the present, so that real certificates and cookies stay valid.
func New() *Clock { return &Clock{now: time.Now().UTC().Truncate(time.Second)} }

// Now is the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Move goes forward (or back) by d.
func (c *Clock) Move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
