package session

import (
	"time"

	"serein.app/services/platform/cached"
)

const (
	// cacheLife is how long a checked session is believed without asking Redis: the bound on
	// how long a sign-out on another replica takes to hold here.
	cacheLife = time.Second
	// endedLife is how long an ended session is remembered as ended, so that a check that was
	// already on its way cannot bring it back. Longer than the slowest check.
	endedLife = 30 * time.Second
	// cacheSize bounds memory, of checked sessions and of ended ones each: about 300 bytes a session.
	cacheSize = 50_000
)

// cache remembers checked sessions for a moment. Ended ones are kept apart, so that no checked session takes their room.
type cache struct {
	checked *cached.Map[string, *Session]
	ended   *cached.Map[string, struct{}]
	now     func() time.Time
}

func newCache(now func() time.Time) *cache {
	return &cache{
		checked: cached.NewMap[string, *Session](cacheSize, now), ended: cached.NewMap[string, struct{}](cacheSize, now), now: now,
	}
}

// get answers what is known: a session, or that it has ended (nil, true). An end outweighs every check.
func (c *cache) get(key string) (*Session, bool) {
	if _, ended := c.ended.Get(key); ended {
		return nil, true
	}
	return c.checked.Get(key)
}

func (c *cache) put(key string, s *Session, until time.Time) { c.checked.Put(key, s, until) }

func (c *cache) end(key string) { c.ended.Put(key, struct{}{}, c.now().Add(endedLife)) }
