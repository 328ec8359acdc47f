package narration

import (
	"sync"
	"time"
)

// memory is how many segments the pace remembers, some seconds of work: it follows a machine that others load.
const memory = 16

// pace is a moving average of how long a worker works for a second of sound.
type pace struct {
	mu      sync.Mutex
	average float64 // seconds; 0 until something was measured
}

// observe takes a segment into account that took that long to make.
func (p *pace) observe(took, sound time.Duration) {
	if sound <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	measured := took.Seconds() / sound.Seconds()
	if p.average == 0 {
		p.average = measured
	}
	p.average += (measured - p.average) / memory
}

// Pace is how long one worker has worked for a second of sound lately; 0 until it was measured.
func (r *Recorder) Pace() time.Duration {
	r.pace.mu.Lock()
	defer r.pace.mu.Unlock()
	return time.Duration(r.pace.average * float64(time.Second))
}
