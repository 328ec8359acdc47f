package spoken

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// recentBytes of files stay in this process's memory: some 150 sentences, among them the first ones, which somebody waits for.
const recentBytes = 16 << 20

// recent has the files of the sentences that this process spoke last.
type recent struct {
	mu    sync.Mutex
	files *simplelru.LRU[Key, []byte]
	bytes int
}

func newRecent() *recent {
	r := &recent{}
	// Its own limit, of a file of a kilobyte each, is never reached first; only a limit below 1 is an error.
	r.files, _ = simplelru.NewLRU(recentBytes>>10, func(_ Key, file []byte) { r.bytes -= len(file) })
	return r
}

func (r *recent) get(key Key) ([]byte, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.files.Get(key)
}

func (r *recent) add(key Key, file []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files.Remove(key)
	r.files.Add(key, file)
	for r.bytes += len(file); r.bytes > recentBytes; {
		r.files.RemoveOldest()
	}
}

// usedMost bounds what used remembers, some 5 MB.
const usedMost = 100_000

// used are the sentences that were used in this hour, each noted for the index once.
type used struct {
	mu           sync.Mutex
	hour         time.Time
	known, notes map[Key]struct{}
}

func newUsed() *used { return &used{known: map[Key]struct{}{}, notes: map[Key]struct{}{}} }

// note has a sentence written down, unless it was in this hour. Past usedMost it is written down once more, which does no harm.
func (u *used) note(key Key, hour time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.hour.Equal(hour) || len(u.known) >= usedMost {
		u.hour = hour
		clear(u.known)
	}
	if _, known := u.known[key]; known {
		return
	}
	u.known[key], u.notes[key] = struct{}{}, struct{}{}
}

// giveBack has sentences noted at their next use, since they could not be written down.
func (u *used) giveBack(notes []Key) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, key := range notes {
		delete(u.known, key)
	}
}

// take gives what was noted since the last call.
func (u *used) take() []Key {
	u.mu.Lock()
	defer u.mu.Unlock()
	notes := slices.Collect(maps.Keys(u.notes))
	clear(u.notes)
	return notes
}
