package guard

import (
	"sync"
	"time"
)

// Limit allows Count events in Per on average, and Burst of them at once.
type Limit struct {
	Name  string
	Count int
	Per   time.Duration
	Burst int
}

// Scaled multiplies a limit; for test stacks that ask more of one address than people do.
func (l Limit) Scaled(by float64) Limit {
	l.Count = max(1, int(float64(l.Count)*by))
	l.Burst = max(1, int(float64(l.Burst)*by))
	return l
}

// Interval is the time in which one event is won back.
func (l Limit) Interval() time.Duration { return l.Per / time.Duration(l.Count) }

// bucketsSize bounds the memory of one limit: about 100 bytes a key.
const bucketsSize = 100_000

// Buckets count one limit in this process, by key. The algorithm is GCRA: one instant a key,
// the time at which its bucket would be full again.
type Buckets struct {
	limit Limit
	mu    sync.Mutex
	full  map[string]time.Time
}

// NewBuckets makes the counters of a limit.
func NewBuckets(l Limit) *Buckets { return &Buckets{limit: l, full: map[string]time.Time{}} }

// Allow counts one event of key, or says how long to wait for the next.
func (b *Buckets) Allow(key string, now time.Time) (bool, time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key = b.room(key, now)
	full := b.full[key]
	if full.Before(now) {
		full = now
	}
	full = full.Add(b.limit.Interval())
	window := b.limit.Interval() * time.Duration(b.limit.Burst)
	if over := full.Sub(now) - window; over > 0 {
		return false, over
	}
	b.full[key] = full
	return true, 0
}

// Left is how many events of key would be allowed now, one after the other at once.
func (b *Buckets) Left(key string, now time.Time) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := max(b.full[b.room(key, now)].Sub(now), 0)
	return b.limit.Burst - int((taken+b.limit.Interval()-1)/b.limit.Interval())
}

// TakeBack undoes one event of key that was allowed.
func (b *Buckets) TakeBack(key string, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key = b.room(key, now)
	full := b.full[key].Add(-b.limit.Interval())
	if !full.After(now) {
		delete(b.full, key)
		return
	}
	b.full[key] = full
}

// room keeps the map bounded. When an attack from very many addresses fills it, new keys share
// one bucket, so that they are still limited.
func (b *Buckets) room(key string, now time.Time) string {
	if _, known := b.full[key]; known || len(b.full) < bucketsSize {
		return key
	}
	for k, full := range b.full {
		if !full.After(now) {
			delete(b.full, k)
		}
	}
	if len(b.full) < bucketsSize {
		return key
	}
	return ""
}
