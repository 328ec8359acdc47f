package spoken

import (
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

// used are the sentences that were used today, each noted for the index once.
type used struct {
	mu    sync.Mutex
	day   time.Time
	known map[Key]struct{}
	notes []Sentence
}

func newUsed() *used { return &used{known: map[Key]struct{}{}} }

// note has a sentence written down, unless it was today. Past usedMost it is written down once more, which does no harm.
func (u *used) note(s Sentence, today time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.day.Equal(today) || len(u.known) >= usedMost {
		u.day = today
		clear(u.known)
	}
	if _, known := u.known[s.Key]; known {
		return
	}
	u.known[s.Key] = struct{}{}
	u.notes = append(u.notes, s)
}

// giveBack has sentences noted at their next use, since they could not be written down.
func (u *used) giveBack(notes []Sentence) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, s := range notes {
		delete(u.known, s.Key)
	}
}

// take gives what was noted since the last call.
func (u *used) take() []Sentence {
	u.mu.Lock()
	defer u.mu.Unlock()
	notes := u.notes
	u.notes = nil
	return notes
}
