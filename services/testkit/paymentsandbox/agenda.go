package paymentsandbox

import "container/heap"

// duty is a moment at which something falls due by itself: a checkout expires, a subscription renews or is tried again.
type duty struct {
	// at is in the present's seconds, whatever Advance took its thing ahead by; of two at once the first planned comes first.
	at, seq int64
	of      dutiful
}

// dutiful is what something falls due of.
type dutiful interface {
	// due is the next moment, in the present's seconds; 0 where nothing is due any more.
	due() int64
	// act does what is due then.
	act(*Sandbox)
}

// agenda has the earliest duty first. A thing that changed meanwhile leaves its old duties behind, which are passed over.
type agenda struct {
	duties []duty
	seq    int64
}

func (a *agenda) Len() int { return len(a.duties) }
func (a *agenda) Less(i, j int) bool {
	one, other := a.duties[i], a.duties[j]
	return one.at < other.at || one.at == other.at && one.seq < other.seq
}
func (a *agenda) Swap(i, j int) { a.duties[i], a.duties[j] = a.duties[j], a.duties[i] }
func (a *agenda) Push(d any)    { a.duties = append(a.duties, d.(duty)) } //nolint:forcetypeassert // plan alone pushes
func (a *agenda) Pop() any {
	last := len(a.duties) - 1
	d := a.duties[last]
	a.duties = a.duties[:last]
	return d
}

// plan notes when something falls due of a thing that is new or has changed.
func (s *Sandbox) plan(of dutiful) {
	if at := of.due(); at != 0 {
		s.agenda.seq++
		heap.Push(&s.agenda, duty{at, s.agenda.seq, of})
	}
}

// replan builds the agenda again from the state, since every due time may have moved.
func (s *Sandbox) replan() {
	s.agenda = agenda{}
	for _, found := range s.state.Sessions.Items {
		s.plan(found)
	}
	for _, found := range s.state.Subscriptions.Items {
		s.plan(found)
	}
}

// settle does what fell due by itself, in the order of time.
func (s *Sandbox) settle() {
	now := s.now().Unix()
	for len(s.agenda.duties) > 0 && s.agenda.duties[0].at <= now {
		next := heap.Pop(&s.agenda).(duty) //nolint:forcetypeassert // plan alone pushes
		if next.of.due() != next.at {
			continue
		}
		next.of.act(s)
		s.store.changed()
		s.plan(next.of)
	}
}

func (s *session) due() int64 {
	if s.Status != open {
		return 0
	}
	return s.ExpiresAt - s.Ahead
}

func (s *session) act(in *Sandbox) { in.endSession(s) }

func (s *subscription) due() int64 {
	switch {
	case s.Status == canceled:
		return 0
	case s.RetryAt != 0:
		return min(s.RetryAt, s.PeriodEnd) - s.Ahead
	}
	return s.PeriodEnd - s.Ahead
}

// act tries a payment again, or begins the next period, or ends with the present one.
func (s *subscription) act(in *Sandbox) {
	switch {
	case s.RetryAt != 0 && s.RetryAt <= s.PeriodEnd:
		bill, _ := in.state.Invoices.get(s.LatestInvoice)
		in.collect(s, bill, s.RetryAt)
	case s.CancelAtEnd:
		in.end(s, s.PeriodEnd)
	default:
		in.renew(s)
	}
}
