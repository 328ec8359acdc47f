package cached

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Map keeps values by key, each until its own moment or for ever. It is bounded: the least recently used value makes room. It asks nobody; a
// caller that finds nothing asks and puts what it learns. It is safe for concurrent use.
type Map[K comparable, V any] struct {
	kept *lru.Cache[K, entry[V]]
	now  func() time.Time
}

// entry is never changed.
type entry[V any] struct {
	value   V
	forever bool
	until   time.Time
}

// NewMap makes an empty Map of at most size values; it panics if size is below 1.
func NewMap[K comparable, V any](size int, now func() time.Time) *Map[K, V] {
	kept, err := lru.New[K, entry[V]](size)
	if err != nil {
		panic(err)
	}
	return &Map[K, V]{kept: kept, now: now}
}

// Get gives the value of a key, unless its time is over.
func (m *Map[K, V]) Get(key K) (value V, ok bool) {
	e, ok := m.kept.Get(key)
	if !ok || !e.forever && !m.now().Before(e.until) {
		return value, false
	}
	return e.value, true
}

// Put keeps a value until then, in place of the key's last one.
func (m *Map[K, V]) Put(key K, value V, until time.Time) {
	m.kept.Add(key, entry[V]{value: value, until: until})
}

// Keep keeps a value for ever, in place of the key's last one.
func (m *Map[K, V]) Keep(key K, value V) { m.kept.Add(key, entry[V]{value: value, forever: true}) }

// Drop forgets the value of a key, and says whether there was one, also if its time was over.
func (m *Map[K, V]) Drop(key K) bool { return m.kept.Remove(key) }
