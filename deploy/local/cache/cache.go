// Package cache is Redis for one machine: miniredis in this process, with a clock that runs
// and a snapshot on disk, so that members stay signed in when the product is restarted.
// It holds only what may be lost.
package cache

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// tick is how often time passes for keys that expire, and how often they are written down.
const tick = time.Second

// Cache is a running Redis.
type Cache struct {
	redis *miniredis.Miniredis
	path  string
	saved string
}

// entry is one key as the snapshot holds it. Values are bytes: sessions are sealed, and text in
// JSON would replace what is not UTF-8.
type entry struct {
	Value  []byte            `json:"value"` // null where there are fields
	Fields map[string][]byte `json:"fields,omitempty"`
	// TTL in nanoseconds; 0 keeps the key for ever.
	TTL time.Duration `json:"ttl,omitempty"`
}

type snapshot struct {
	At   time.Time        `json:"at"`
	Keys map[string]entry `json:"keys"`
}

// Start serves on the address with what the snapshot in dir holds, for clients that know the
// password.
func Start(addr, dir, password string) (*Cache, error) {
	c := &Cache{redis: miniredis.NewMiniRedis(), path: filepath.Join(dir, "redis.json")}
	if err := c.load(); err != nil {
		return nil, fmt.Errorf("sessions of the last run: %w", err)
	}
	c.redis.RequireAuth(password)
	if err := c.redis.StartAddr(addr); err != nil {
		return nil, fmt.Errorf("start Redis: %w", err)
	}
	return c, nil
}

// Run lets time pass and writes the snapshot until ctx ends.
func (c *Cache) Run(ctx context.Context) error {
	defer c.redis.Close()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return c.save()
		case now := <-ticker.C:
			c.redis.FastForward(now.Sub(last))
			c.redis.SetTime(now)
			last = now
			if err := c.save(); err != nil {
				return err
			}
		}
	}
}

func (c *Cache) load() error {
	content, err := os.ReadFile(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var s snapshot
	if err := json.Unmarshal(content, &s); err != nil {
		// Half a snapshot costs a sign-in, not a start.
		return nil //nolint:nilerr // see above
	}
	gone := time.Since(s.At)
	for key, e := range s.Keys {
		if e.TTL > 0 && e.TTL <= gone {
			continue
		}
		if err := c.restore(key, e, gone); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cache) restore(key string, e entry, gone time.Duration) error {
	if e.Value != nil {
		if err := c.redis.Set(key, string(e.Value)); err != nil {
			return err
		}
	}
	for field, value := range e.Fields {
		c.redis.HSet(key, field, string(value))
	}
	if e.TTL > 0 {
		c.redis.SetTTL(key, e.TTL-gone)
	}
	return nil
}

// save writes the keys when they changed; times that pass are no change.
func (c *Cache) save() error {
	s := snapshot{At: time.Now(), Keys: map[string]entry{}}
	values := map[string]entry{}
	for _, key := range c.redis.Keys() {
		e := c.read(key)
		values[key] = e
		e.TTL = c.redis.TTL(key)
		s.Keys[key] = e
	}
	plain, err := json.Marshal(values)
	if err != nil || string(plain) == c.saved {
		return err
	}
	content, err := json.Marshal(s)
	if err != nil {
		return err
	}
	part := c.path + ".part"
	if err := os.WriteFile(part, content, 0o600); err != nil {
		return err
	}
	c.saved = string(plain)
	return os.Rename(part, c.path)
}

// read takes strings and hashes, which is all the product uses.
func (c *Cache) read(key string) entry {
	switch c.redis.Type(key) {
	case "string":
		if value, err := c.redis.Get(key); err == nil {
			return entry{Value: []byte(value)}
		}
	case "hash":
		fields := map[string][]byte{}
		if names, err := c.redis.HKeys(key); err == nil {
			for _, name := range names {
				fields[name] = []byte(c.redis.HGet(key, name))
			}
		}
		return entry{Fields: fields}
	}
	return entry{}
}
