package bus

import "time"

// Hurry gives handlers that long, and delivers again at once.
func (b *Bus) Hurry(handle time.Duration) {
	b.pace = pace{handle: handle, ack: time.Minute, delay: func(uint64) time.Duration { return time.Millisecond }}
}

// MaxDeliveries of an event that fails by itself.
const MaxDeliveries = maxDeliveries
