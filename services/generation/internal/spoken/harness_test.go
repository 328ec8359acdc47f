package spoken_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/narration"
	"serein.app/services/generation/internal/postgres"
	"serein.app/services/generation/internal/spoken"
	"serein.app/services/platform/blob"
	"serein.app/services/testkit"
)

const plenty = 1 << 30

// voice is a synthesiser that gives noise of 16 bits, another one for each text, and counts what it was asked.
type voice struct{ asked *atomic.Int32 }

func (voice) Recipe(u narration.Utterance) spoken.Key {
	return sha256.Sum256(fmt.Append(nil, u.Voice, u.Text))
}

func (voice) HasVoice(string) bool { return true }

func (v voice) Speak(ctx context.Context, u narration.Utterance) (narration.Speech, error) {
	v.asked.Add(1)
	noise := rand.NewChaCha8(v.Recipe(u))
	speech := narration.Speech{Rate: 16000, Samples: make([]float32, 1600)}
	for i := range speech.Samples {
		speech.Samples[i] = float32(int16(noise.Uint64())) / 32768
	}
	return speech, ctx.Err()
}

// counted are metrics.
type counted struct {
	mu            sync.Mutex
	hits, removed int
	misses        map[string]int
}

func (c *counted) SpokenHit(context.Context) { c.mu.Lock(); defer c.mu.Unlock(); c.hits++ }
func (c *counted) SpokenMiss(_ context.Context, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.misses == nil {
		c.misses = map[string]int{}
	}
	c.misses[reason]++
}

func (c *counted) SpokenRemoved(_ context.Context, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.removed += n
}

// shop is what processes share.
type shop struct {
	t     testing.TB
	db    testkit.DB
	index *postgres.Store
	blobs blob.Store
	dir   string
	voice voice

	mu  sync.Mutex
	now time.Time
}

func newShop(tb testing.TB) *shop {
	tb.Helper()
	s := &shop{t: tb, db: testkit.Postgres(tb, "generation", postgres.Migrate), dir: tb.TempDir(), voice: voice{new(atomic.Int32)}}
	s.index = postgres.New(s.db.Pool, nil)
	s.now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var err error
	s.blobs, err = blob.Open("file://" + s.dir)
	require.NoError(tb, err)
	return s
}

func (s *shop) clock() time.Time { s.mu.Lock(); defer s.mu.Unlock(); return s.now }
func (s *shop) pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

// process is one of the service's, with its own memory.
type process struct {
	*spoken.Store
	*counted
	shop *shop
	stop func()
}

// open starts a process.
func (s *shop) open(limit int64, change ...func(*spoken.Ports)) *process {
	s.t.Helper()
	c := &counted{}
	ports := spoken.Ports{
		Synthesiser: s.voice, Blobs: s.blobs, Index: s.index, Metrics: c, Limit: limit, Now: s.clock, Log: testkit.Logger(s.t),
	}
	for _, f := range change {
		f(&ports)
	}
	p := &process{spoken.New(ports), c, s, nil}
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	p.stop = sync.OnceFunc(func() { cancel(); require.NoError(s.t, <-ended) })
	s.t.Cleanup(p.stop)
	return p
}

func everybody(text string) narration.Utterance { return narration.Utterance{Text: text, Common: true} }

// say speaks, and says whether the synthesiser was asked.
func (p *process) say(u narration.Utterance) (asked bool) {
	p.shop.t.Helper()
	before := p.shop.voice.asked.Load()
	got, err := p.Speak(p.shop.t.Context(), u)
	require.NoError(p.shop.t, err)
	asked = p.shop.voice.asked.Load() > before
	want, _ := p.shop.voice.Speak(p.shop.t.Context(), u)
	require.Equal(p.shop.t, want, got, "with the store and without it")
	return asked
}

func (s *shop) files() []string {
	s.t.Helper()
	keys, err := s.blobs.List(s.t.Context(), "spoken/")
	require.NoError(s.t, err)
	return keys
}

// rows gives the names of the files that have a row.
func (s *shop) rows() (names []string) {
	s.t.Helper()
	err := s.db.Pool.QueryRow(s.t.Context(), `SELECT coalesce(array_agg(name ORDER BY name), '{}') FROM (
		SELECT 'spoken/' || substr(encode(key, 'hex'), 1, 2) || '/' || encode(key, 'hex') AS name FROM spoken) AS named`).Scan(&names)
	require.NoError(s.t, err)
	return names
}

// kept waits until that many sentences are kept, and gives their files.
func (s *shop) kept(n int) []string {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return len(s.files()) == n }, testkit.Patience, 2*time.Millisecond)
	require.ElementsMatch(s.t, s.files(), s.rows())
	return s.files()
}
