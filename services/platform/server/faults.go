package server

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"time"
)

// One line of failed handshakes is written in handshakePause: who only knocks fills no log.
const handshakePause = 10 * time.Second

// handshake begins what net/http writes of a TLS handshake that failed.
var handshake = []byte("http: TLS handshake error")

// faults logs net/http's messages about connections. It logs a failed handshake as a warning, since the caller's certificate may
// have expired or be missing; the other messages report what clients do all day.
type faults struct {
	log *slog.Logger
	now func() time.Time

	mu   sync.Mutex
	next time.Time
	left int
}

func newFaults(log *slog.Logger, now func() time.Time) *faults { return &faults{log: log, now: now} }

// Write is called with one line.
func (f *faults) Write(line []byte) (int, error) {
	text := slog.String("fault", string(bytes.TrimSpace(line)))
	if !bytes.HasPrefix(line, handshake) {
		f.log.LogAttrs(context.Background(), slog.LevelDebug, "connection", text)
		return len(line), nil
	}
	if left, ok := f.room(); ok {
		f.log.LogAttrs(context.Background(), slog.LevelWarn, "handshake failed", text, slog.Int("lines_left_out", left))
	}
	return len(line), nil
}

// room says whether a line may be written, and how many were left out since the last.
func (f *faults) room() (left int, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	if now.Before(f.next) {
		f.left++
		return 0, false
	}
	left, f.left, f.next = f.left, 0, now.Add(handshakePause)
	return left, true
}
