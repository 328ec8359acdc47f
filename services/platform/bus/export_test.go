package bus

import "time"

// Hurry gives handlers that long, and delivers again at once what failed, and after ack what nobody
// said anything about.
func (b *Bus) Hurry(handle, ack time.Duration) {
	b.pace = pace{handle: handle, ack: ack, delay: func(uint64) time.Duration { return time.Millisecond }}
}

// Usual is how long a handler has, how long the broker waits for its word, and the time in which an
// event that fails by itself is tried, all as in production.
func Usual() (handle, ack, trying time.Duration) {
	p := usual()
	for delivered := range uint64(maxDeliveries - 1) {
		trying += p.delay(delivered + 1)
	}
	return p.handle, p.ack, trying
}

// Pinging asks the broker so often whether it is there.
func Pinging(every time.Duration) Option { return func(b *Bus) { b.pace.ping = every } }

// Noticed is how long it takes until a broker that is gone without a word is taken for lost.
const Noticed = (pingsOpen + 1) * pingEvery

// MaxDeliveries of an event that fails by itself.
const MaxDeliveries = maxDeliveries
