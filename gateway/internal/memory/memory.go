// Package memory keeps other services' last answers for some seconds, so that not every call costs a hop. It is bounded and calls no
// service. The caller decides what may be answered from memory, and how old it may be.
package memory

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// size of each memory, in answers; the least recently used makes room.
const size = 10_000

// Memory keeps the last answer about each key. How old an answer may be is for the question to say:
// more may hang on one than on another.
type Memory[T any] struct {
	answers *lru.Cache[string, answer[T]]
	now     func() time.Time
}

type answer[T any] struct {
	value T
	asked time.Time
}

// New makes an empty memory.
func New[T any](now func() time.Time) (*Memory[T], error) {
	answers, err := lru.New[string, answer[T]](size)
	return &Memory[T]{answers: answers, now: now}, err
}

// Put remembers the answer to a question that was asked then.
func (m *Memory[T]) Put(key string, value T, asked time.Time) {
	m.answers.Add(key, answer[T]{value, asked})
}

// Recent is the last answer about a key, if it is younger than life.
func (m *Memory[T]) Recent(key string, life time.Duration) (value T, ok bool) {
	last, ok := m.answers.Get(key)
	if !ok || m.now().Sub(last.asked) >= life {
		return value, false
	}
	return last.value, true
}

// Forget drops what is known about a key.
func (m *Memory[T]) Forget(key string) { m.answers.Remove(key) }
