package meditation

import (
	"context"
	"errors"
	"time"

	"serein.app/services/generation/internal/recovery"
)

// Reasons of setbacks, stable words of the metrics.
const (
	setbackStopped   = "stopped"
	setbackPanic     = "panic"
	setbackWriting   = "writing"
	setbackNarration = "narration"
	setbackAway      = "away"
)

// setback is why an attempt ended before the work did, and what follows.
type setback struct {
	reason string
	// wait before the next attempt; counts is 1 for a setback that the work has made itself.
	wait   time.Duration
	counts int
}

// setbackOf judges how an attempt ended. That the process is being stopped, or that a part is away which
// keeps, stores or charges, is no fault of the work and counts for nothing; an error of the writing or of the
// narration, and a panic, is.
func setbackOf(parent context.Context, m Meditation, err error) setback {
	var own fault
	switch {
	case parent.Err() != nil:
		return setback{reason: setbackStopped}
	case errors.Is(err, recovery.ErrPanic):
		return setback{setbackPanic, backoff(m.Tries), 1}
	case !errors.As(err, &own):
		return setback{setbackAway, awayPause, 0}
	case m.State == Writing:
		return setback{setbackWriting, backoff(m.Tries), 1}
	}
	return setback{setbackNarration, backoff(m.Tries), 1}
}
