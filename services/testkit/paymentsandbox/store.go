package paymentsandbox

import (
	"context"
	"os"
	"sync"
	"time"
)

// store writes the state to its file soon after a change, and once more at the end.
type store struct {
	file     string
	snapshot func() ([]byte, error)
	dirty    chan struct{}

	mu  sync.Mutex
	err error
}

// writeEvery bounds how often the whole file is written; a large one is written less often, so that it stays a tenth of the work.
// A crash of the process can lose what came since.
const writeEvery = 100 * time.Millisecond

func newStore(file string, snapshot func() ([]byte, error)) *store {
	return &store{file: file, snapshot: snapshot, dirty: make(chan struct{}, 1)}
}

func (s *store) changed() {
	select {
	case s.dirty <- struct{}{}:
	default:
	}
}

func (s *store) run(ctx context.Context) {
	if s.file == "" {
		return
	}
	wait := writeEvery
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		select {
		case <-ctx.Done():
			return
		case <-s.dirty:
		}
		began := time.Now()
		s.write()
		wait = max(writeEvery, 10*time.Since(began))
	}
}

func (s *store) close() error {
	if s.file != "" {
		s.write()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// write replaces the file at once: a process that ends meanwhile leaves the old or the new one whole.
func (s *store) write() {
	raw, err := s.snapshot()
	if err == nil {
		err = os.WriteFile(s.file+".new", raw, 0o600)
	}
	if err == nil {
		err = os.Rename(s.file+".new", s.file)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}
