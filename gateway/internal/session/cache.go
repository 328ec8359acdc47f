package session

import (
	"sync"
	"time"
)

const (
	// cacheLife is how long a checked session is believed without asking Redis: the bound on
	// how long a sign-out on another replica takes to hold here.
	cacheLife = time.Second
	// endedLife is how long an ended session is remembered as ended, so that a check that was
	// already on its way cannot bring it back. Longer than the slowest check.
	endedLife = 30 * time.Second
	// cacheSize bounds memory: about 300 bytes an entry.
	cacheSize = 50_000
)

type cached struct {
	session *Session // nil: ended
	until   time.Time
}

// cache remembers checked sessions for a moment.
type cache struct {
	mu      sync.Mutex
	entries map[string]cached
}

func newCache() *cache { return &cache{entries: map[string]cached{}} }

// get answers what is known: a session, or that it has ended (nil, true).
func (c *cache) get(key string, now time.Time) (*Session, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	if !ok || !now.Before(e.until) {
		return nil, false
	}
	return e.session, true
}

func (c *cache) put(key string, s *Session, now, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[key]; ok && e.session == nil && now.Before(e.until) {
		return
	}
	c.makeRoom(now)
	c.entries[key] = cached{session: s, until: until}
}

func (c *cache) end(key string, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.makeRoom(now)
	c.entries[key] = cached{until: now.Add(endedLife)}
}

// makeRoom drops what is over when the cache is full, and live entries (never ended ones)
// where that was not enough: those only cost a question to Redis.
func (c *cache) makeRoom(now time.Time) {
	if len(c.entries) < cacheSize {
		return
	}
	for key, e := range c.entries {
		if !now.Before(e.until) {
			delete(c.entries, key)
		}
	}
	for key, e := range c.entries {
		if len(c.entries) < cacheSize*3/4 {
			return
		}
		if e.session != nil {
			delete(c.entries, key)
		}
	}
}
