package narration

import (
	"sync"
	"time"
)

// memory is how many segments the pace remembers, some seconds of work: it follows a machine that others load.
const memory = 16

// pace is a moving average of how long a worker works for a second of sound. Requests are refused by it, so it is not
// known before memory segments were measured: the first ones of a process are slow, since they warm it up.
type pace struct {
	mu       sync.Mutex
	average  float64 // seconds
	measured int     // segments, counted up to memory
}

// observe takes a segment into account that took that long to make.
func (p *pace) observe(took, sound time.Duration) {
	if sound <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.measured = min(p.measured+1, memory)
	p.average += (took.Seconds()/sound.Seconds() - p.average) / float64(p.measured)
}

// known is the average; 0 before memory segments were measured.
func (p *pace) known() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.measured < memory {
		return 0
	}
	return time.Duration(p.average * float64(time.Second))
}

// Pace is how long one worker has worked for a second of sound lately; 0 until it was measured.
func (r *Recorder) Pace() time.Duration { return r.pace.known() }
