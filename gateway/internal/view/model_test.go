package view

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/metric/noop"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/testkit"
	"serein.app/services/testkit/clock"
	"serein.app/services/testkit/natstest"
)

const (
	followed = "billing"
	patience = 2 * time.Minute
)

// truth is what a service knows: for each member every version there was, with the moment from which
// on it was so. Time makes some of them by itself.
type truth struct {
	mu       sync.Mutex
	now      func() time.Time
	versions map[string][]time.Time // the version is the index
	due      map[string]time.Time   // when time makes the next
	gate     *gate                  // holds an answer back, once it is made
}

// gate holds answers back until it opens, and says that there is one.
type gate struct{ made, open chan struct{} }

func (s *truth) settle(uid string) {
	if due, ok := s.due[uid]; ok && !s.now().Before(due) {
		s.versions[uid] = append(s.versions[uid], due)
		delete(s.due, uid)
	}
}

func (s *truth) change(uid string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(uid)
	s.versions[uid] = append(s.versions[uid], s.now())
	return len(s.versions[uid]) - 1
}

func (s *truth) ask(_ context.Context, uid string) (int, time.Time, error) {
	s.mu.Lock()
	s.settle(uid)
	version, until, gate := len(s.versions[uid])-1, s.due[uid], s.gate
	s.mu.Unlock()
	if gate != nil {
		close(gate.made)
		<-gate.open
	}
	return version, until, nil
}

// holdBack puts a gate before the answers that are made from now on; nil lets them through.
func (s *truth) holdBack(at *gate) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gate = at
}

// wrongFor is how long a version has not been so.
func (s *truth) wrongFor(uid string, version int) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(uid)
	if version+1 >= len(s.versions[uid]) {
		return 0
	}
	return s.now().Sub(s.versions[uid][version+1])
}

// relay publishes the service's events as its outbox does, over a network that the test spoils.
type relay struct {
	bus     *bus.Bus
	mark    bus.Watermark
	waiting []bus.Message
	before  []bus.Message
	told    time.Time
}

func (r *relay) add(t require.TestingT, uid string) {
	id := uuid.NewString()
	data, err := proto.Marshal(&eventsv1.Envelope{Id: id, Uid: uid})
	require.NoError(t, err)
	r.waiting = append(r.waiting, bus.Message{ID: id, Subject: "serein." + followed + ".credits.held.v1", Data: data})
}

// round is one round of the relay; lost messages were sent and never arrive.
func (r *relay) round(ctx context.Context, t require.TestingT, now time.Time, lost func() bool) {
	var sent []bus.Message
	for _, m := range r.waiting {
		if !lost() {
			sent = append(sent, m)
		}
	}
	n, err := r.bus.Publish(ctx, bus.StreamName(followed), sent)
	require.NoError(t, err)
	require.Len(t, sent, n)
	for _, m := range r.waiting {
		r.mark.Sum.Add(m.ID)
	}
	r.before, r.waiting = append(r.before, r.waiting...), nil
	if !lost() {
		r.mark.Time, r.told = now, now
		require.NoError(t, r.bus.Tell(followed, r.mark))
	}
}

// again publishes an earlier event once more, as a replay of the outbox does.
func (r *relay) again(ctx context.Context, t require.TestingT, counted bool) {
	if len(r.before) == 0 {
		return
	}
	m := r.before[rand.IntN(len(r.before))]
	id := m.ID
	m.ID = uuid.NewString() // else the stream would not take it
	_, err := r.bus.Publish(ctx, bus.StreamName(followed), []bus.Message{m})
	require.NoError(t, err)
	if counted {
		r.mark.Sum.Add(id)
	}
}

// replica is one gateway's copy of what the service says.
type replica struct {
	source *Source
	part   *Part[int]
}

func (r *replica) upto() time.Time {
	r.source.mu.RLock()
	defer r.source.mu.RUnlock()
	return r.source.upto
}

// model is two gateways, a service and what a member's browser has done.
type model struct {
	clock    *clock.Clock
	truth    *truth
	relay    *relay
	replicas []*replica
	uids     []string
	acted    map[string]int // the version of a member's own last act
	actedAt  map[string]time.Time
	extended *atomic.Int64
}

func newModel(t *rapid.T, ctx context.Context, publisher *bus.Bus, readers []*bus.Bus, extended *atomic.Int64) *model {
	m := &model{clock: clock.New(), acted: map[string]int{}, actedAt: map[string]time.Time{}, extended: extended}
	m.truth = &truth{now: m.clock.Now, versions: map[string][]time.Time{}, due: map[string]time.Time{}}
	m.relay = &relay{bus: publisher, mark: bus.Watermark{Run: uuid.NewString(), Time: m.clock.Now()}}
	for range 3 {
		uid := uuid.NewString()
		m.uids, m.truth.versions[uid] = append(m.uids, uid), []time.Time{m.clock.Now()}
	}
	for _, reader := range readers {
		r := &replica{source: NewSource(followed, m.clock.Now)}
		var err error
		r.part, err = NewPart("test", r.source, m.truth.ask, noop.Meter{}, m.clock.Now)
		require.NoError(t, err)
		m.replicas = append(m.replicas, r)
		go func() { _ = reader.Follow(ctx, r.source.follower()) }()
	}
	require.Eventually(t, func() bool { // they hear
		require.NoError(t, publisher.Tell(followed, m.relay.mark))
		for _, r := range m.replicas {
			if upto := r.upto(); upto.IsZero() {
				return false
			}
		}
		return true
	}, patience, time.Millisecond)
	return m
}

// delivered waits until every replica has heard the relay's last watermark.
func (m *model) delivered(t *rapid.T) {
	for _, r := range m.replicas {
		require.Eventually(t, func() bool { return !r.upto().Before(m.relay.told) }, patience, time.Millisecond)
	}
}

// page shows a member what a replica knows. Their own browser says for a while that it has acted.
func (m *model) page(t *rapid.T, r *replica, uid string) {
	var version int
	var err error
	age := time.Duration(0)
	if at, ok := m.actedAt[uid]; ok && m.clock.Now().Sub(at) < actedLife {
		version, err = r.part.Ask(t.Context(), uid)
		require.GreaterOrEqual(t, version, m.acted[uid], "their own acts are read back at once")
	} else {
		r.part.mu.Lock()
		last, ok := r.part.known.Get(uid)
		r.part.mu.Unlock()
		if ok {
			age = m.clock.Now().Sub(last.asked)
		}
		_, current := r.part.Current(uid)
		if current && age >= Wrong {
			m.extended.Add(1)
		}
		version, err = r.part.Get(t.Context(), uid)
	}
	require.NoError(t, err)
	require.Less(t, m.truth.wrongFor(uid, version), Wrong, "shown at the age of %v", age)
}

// held begins a question whose answer is made now and arrives after whatever then happens.
func (m *model) held(t *rapid.T, r *replica, uid string, meanwhile func()) {
	r.part.Drop(uid) // what is known is shown without a question
	gate := &gate{made: make(chan struct{}), open: make(chan struct{})}
	m.truth.holdBack(gate)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = r.part.Get(context.Background(), uid)
	}()
	<-gate.made
	m.truth.holdBack(nil)
	meanwhile()
	close(gate.open)
	<-done
}

func TestAViewIsNeverWrongForLongerThanTwoSecondsWhateverBecomesOfEvents(t *testing.T) {
	t.Parallel()
	broker := natstest.New(t)
	connect := func(name string) *bus.Bus {
		b, err := bus.Connect(broker.URL, name, testkit.Logger(t))
		require.NoError(t, err)
		t.Cleanup(b.Close)
		return b
	}
	publisher, readers := connect(followed), []*bus.Bus{connect("gateway"), connect("gateway")}
	require.Eventually(t, func() bool { _, err := publisher.EnsureStream(t.Context(), followed); return err == nil }, patience, time.Millisecond)
	var extended atomic.Int64
	rapid.Check(t, func(t *rapid.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		m := newModel(t, ctx, publisher, readers, &extended)
		member := rapid.SampledFrom(m.uids)
		gateway := rapid.SampledFrom(m.replicas)
		never := func() bool { return false }
		changed := func(t *rapid.T, uid string) int {
			version := m.truth.change(uid)
			m.relay.add(t, uid)
			return version
		}
		t.Repeat(map[string]func(*rapid.T){
			"time passes": func(t *rapid.T) {
				m.clock.Move(time.Duration(rapid.IntRange(1, 1500).Draw(t, "ms")) * time.Millisecond)
			},
			"others change it": func(t *rapid.T) { changed(t, member.Draw(t, "member")) },
			"the member acts": func(t *rapid.T) {
				uid, here := member.Draw(t, "member"), gateway.Draw(t, "replica")
				m.acted[uid], m.actedAt[uid] = changed(t, uid), m.clock.Now()
				here.part.Drop(uid)
			},
			"time will change it": func(t *rapid.T) {
				uid := member.Draw(t, "member")
				m.truth.mu.Lock()
				_, due := m.truth.due[uid]
				m.truth.mu.Unlock()
				if due {
					return
				}
				changed(t, uid) // setting a time publishes a change
				m.truth.mu.Lock()
				m.truth.due[uid] = m.clock.Now().Add(time.Duration(rapid.IntRange(1, 5000).Draw(t, "ms")) * time.Millisecond)
				m.truth.mu.Unlock()
			},
			"the relay goes round":   func(t *rapid.T) { m.relay.round(ctx, t, m.clock.Now(), never) },
			"and all of it is heard": func(t *rapid.T) { m.relay.round(ctx, t, m.clock.Now(), never); m.delivered(t) },
			"a while passes quietly": func(t *rapid.T) {
				for range rapid.IntRange(1, 6).Draw(t, "rounds") {
					m.clock.Move(time.Duration(rapid.IntRange(1, 1000).Draw(t, "ms")) * time.Millisecond)
					m.relay.round(ctx, t, m.clock.Now(), never)
					m.delivered(t)
				}
			},
			"and some of it is lost": func(t *rapid.T) {
				m.relay.round(ctx, t, m.clock.Now(), func() bool { return rapid.Bool().Draw(t, "lost") })
			},
			"and events change places": func(t *rapid.T) {
				w := m.relay.waiting
				rand.Shuffle(len(w), func(i, j int) { w[i], w[j] = w[j], w[i] })
				m.relay.round(ctx, t, m.clock.Now(), never)
			},
			"an event comes again": func(t *rapid.T) { m.relay.again(ctx, t, rapid.Bool().Draw(t, "counted")) },
			"another relay leads":  func(*rapid.T) { m.relay.mark = bus.Watermark{Run: uuid.NewString()} },
			"an answer is overtaken": func(t *rapid.T) {
				uid, here := member.Draw(t, "member"), gateway.Draw(t, "replica")
				m.held(t, here, uid, func() {
					changed(t, uid)
					if rapid.Bool().Draw(t, "heard") {
						m.relay.round(ctx, t, m.clock.Now(), never)
						m.delivered(t)
					}
				})
			},
			"": func(t *rapid.T) {
				for _, uid := range m.uids {
					for _, r := range m.replicas {
						m.page(t, r, uid)
					}
				}
			},
		})
	})
	require.Positive(t, extended.Load(), "nothing was shown for longer than %v: the test shows nothing", Wrong)
}
