package ratelimit

import (
	"context"
	"sync"
	"time"

	"serein.app/services/platform/guard"
)

// The caps on answers that last. A connection that is being served is never cut, so these may hold
// at most half of what Connections allows: the other half is left for short calls.
const (
	// MaxStreams of one member: one a tab, and those that a lost connection left behind.
	MaxStreams           = 16
	MaxStreamsPerAddress = guard.MaxConnsPerAddress / 2
	MaxStreamsInAll      = guard.MaxConns / 2
)

// retryStream is how long to wait for one of them to end, in Retry-After: about the time after
// which a stream whose reader has gone is noticed.
const retryStream = 15 * time.Second

// Streams caps the answers of this process that last: streams, and calls that wait for work to end.
// They count together, by member, by address and in all.
type Streams struct {
	perMember, perAddress, total int

	mu        sync.Mutex
	open      int
	members   map[string]int
	addresses map[string]int
}

// NewStreams makes the caps.
func NewStreams(perMember, perAddress, total int) *Streams {
	return &Streams{
		perMember: perMember, perAddress: perAddress, total: total, members: map[string]int{}, addresses: map[string]int{},
	}
}

// Enter counts one more for a member and the caller's address, until leave is called, once. Errors:
// guard.ErrTooMany, with RetryAfter.
func (s *Streams) Enter(ctx context.Context, member string) (leave func(), err error) {
	address := guard.Address(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open >= s.total || s.members[member] >= s.perMember || s.addresses[address] >= s.perAddress {
		return nil, guard.TooSoon(retryStream)
	}
	s.open++
	s.members[member]++
	s.addresses[address]++
	return func() { s.leave(member, address) }, nil
}

func (s *Streams) leave(member, address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	decrease(s.members, member)
	decrease(s.addresses, address)
}

// decrease keeps no key that counts nothing.
func decrease(counts map[string]int, key string) {
	if counts[key]--; counts[key] == 0 {
		delete(counts, key)
	}
}
