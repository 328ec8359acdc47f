package roles

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// remembered members, of each memory; the least recently used makes room.
const remembered = 10_000

// memory keeps a service's last answer about each member. How old an answer may be is for the
// question to say: more may hang on one than on another.
type memory[T any] struct {
	answers *lru.Cache[string, answer[T]]
	now     func() time.Time
}

type answer[T any] struct {
	value T
	asked time.Time
}

func newMemory[T any](now func() time.Time) (*memory[T], error) {
	answers, err := lru.New[string, answer[T]](remembered)
	return &memory[T]{answers: answers, now: now}, err
}

// put remembers the answer to a question that was asked then.
func (m *memory[T]) put(uid string, value T, asked time.Time) {
	m.answers.Add(uid, answer[T]{value, asked})
}

// recent is the last answer about a member, if it is younger than life.
func (m *memory[T]) recent(uid string, life time.Duration) (value T, ok bool) {
	last, ok := m.answers.Get(uid)
	if !ok || m.now().Sub(last.asked) >= life {
		return value, false
	}
	return last.value, true
}

func (m *memory[T]) forget(uid string) { m.answers.Remove(uid) }
