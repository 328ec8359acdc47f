package bus

import "time"

// Hurry gives handlers that long, and delivers again at once what failed, and after ack what nobody
// said anything about.
func (b *Bus) Hurry(handle, ack time.Duration) {
	b.pace = pace{handle: handle, ack: ack, delay: func(uint64) time.Duration { return time.Millisecond }}
}

// MaxDeliveries of an event that fails by itself.
const MaxDeliveries = maxDeliveries
