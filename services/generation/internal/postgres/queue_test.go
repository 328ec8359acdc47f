package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// queue is the store with work in it that nobody has asked for.
type queue struct {
	*Store
	db testkit.DB
}

func newQueue(t *testing.T) *queue {
	t.Helper()
	db := testkit.Postgres(t, "generation", Migrate)
	return &queue{storeOn(t, db.Pool), db}
}

func storeOn(t *testing.T, pool *pgxpool.Pool) *Store {
	t.Helper()
	broker, err := bus.Connect("nats://127.0.0.1:1", "generation", testkit.Logger(t))
	require.NoError(t, err)
	t.Cleanup(broker.Close)
	return New(pool, outbox.New(pool, broker, "generation", testkit.Logger(t), time.Now))
}

// fill queues that many pieces of work, each for a different member, accepted a millisecond apart.
func (q *queue) fill(t *testing.T, pieces int) {
	t.Helper()
	const batch = 20_000 // each within the time of a statement
	for first := 1; first <= pieces; first += batch {
		q.fillFrom(t, first, min(first+batch-1, pieces))
	}
	_, err := q.db.Pool.Exec(t.Context(), `VACUUM ANALYZE meditations`)
	require.NoError(t, err)
}

func (q *queue) fillFrom(t *testing.T, first, last int) {
	t.Helper()
	_, err := q.db.Pool.Exec(t.Context(), `
		INSERT INTO meditations (id, uid, idempotency_key, title, type_id, practice_id, size_id, immersive, track_id, day,
			brief, narrator_id, narrator_name, cost, hold_id, state, expected_us, created_at, deadline)
		SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'A quiet evening', 'better-sleep', 'zen', 'minimed', true, 'rain',
			'2026-11-21', '{}', 'isla', 'Isla', 2, gen_random_uuid(), 'queued', 220000000, at, at + interval '10 minutes'
		FROM (SELECT now() + n * interval '1 millisecond' AS at FROM generate_series($1::int, $2::int) AS n) AS requests`, first, last)
	require.NoError(t, err)
}

func (q *queue) claim(t *testing.T, c meditation.Claim) (meditation.Meditation, bool) {
	t.Helper()
	if c.Now.IsZero() {
		c.Now = time.Now()
	}
	m, ok, err := q.Claim(t.Context(), c)
	require.NoError(t, err)
	return m, ok
}

// statements notes the statements that a pool sends.
type statements struct{ sent []statement }

type statement struct {
	sql  string
	args []any
}

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if strings.HasPrefix(data.SQL, "-- name:") {
		s.sent = append(s.sent, statement{data.SQL, data.Args})
	}
	return ctx
}

func (*statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// plan is what PostgreSQL did for one statement.
type plan struct {
	Node     string `json:"Node Type"`
	Relation string `json:"Relation Name"`
	Hit      int    `json:"Shared Hit Blocks"`
	Read     int    `json:"Shared Read Blocks"`
	Plans    []plan `json:"Plans"`
}

func (p plan) scans() (found []string) {
	if p.Node == "Seq Scan" {
		found = append(found, p.Relation)
	}
	for _, child := range p.Plans {
		found = append(found, child.scans()...)
	}
	return found
}

// costs runs what do sends once more, undone each time, and gives the pages that each statement touches by the
// first line of the statement.
func (q *queue) costs(t *testing.T, do func(*Store)) map[string]int {
	t.Helper()
	cfg := q.db.Pool.Config()
	noted := &statements{}
	cfg.ConnConfig.Tracer = noted
	pool, err := pgxpool.NewWithConfig(t.Context(), cfg)
	require.NoError(t, err)
	defer pool.Close()
	do(storeOn(t, pool))
	pages := map[string]int{}
	for _, s := range noted.sent {
		tx, err := q.db.Pool.Begin(t.Context())
		require.NoError(t, err)
		var raw []byte
		require.NoError(t, tx.QueryRow(t.Context(), "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "+s.sql, s.args...).Scan(&raw))
		require.NoError(t, tx.Rollback(t.Context()))
		var answer []struct{ Plan plan }
		require.NoError(t, json.Unmarshal(raw, &answer))
		name, _, _ := strings.Cut(s.sql, "\n")
		require.NotContains(t, answer[0].Plan.scans(), "meditations", "%s\n%s", name, raw)
		pages[name] = answer[0].Plan.Hit + answer[0].Plan.Read
	}
	return pages
}

// However long the queue is, a claim looks at the head of an index: what it touches grows by the height of the trees.
func TestAClaimTouchesAsFewPagesWith100000WaitingAsWith10(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]meditation.Claim{"oldest": {}, "newest": {Newest: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newQueue(t)
			c.Worker, c.Alone, c.Now, c.Effort = uuid.New(), true, time.Now(), 10*time.Millisecond
			claim := func(s *Store) {
				_, ok, err := s.Claim(t.Context(), c)
				require.NoError(t, err)
				require.True(t, ok)
			}
			q.fill(t, 10)
			few := q.costs(t, claim)
			q.fill(t, 100_000)
			many := q.costs(t, claim)
			require.Len(t, many, 4+1, "suspect, begun, oldest or newest, take, notify: %v", many)
			for statement, pages := range many {
				t.Logf("%s: %d pages with 10 waiting, %d with 100,000", statement, few[statement], pages)
				// A dozen indexes are up to two pages deeper, and a page of each may be split.
				require.LessOrEqual(t, pages, 3*few[statement]+36, statement)
				require.LessOrEqual(t, pages, 100, statement)
			}
		})
	}
}

// What runs every second or every five looks at no more of the queue than it must.
func TestTheRoundsOfAWorkerStayCheapWith100000Waiting(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	q.fill(t, 100_000)
	pages := q.costs(t, func(s *Store) {
		worker := meditation.Worker{ID: uuid.New(), Name: "here", Recorders: 2, Lease: time.Minute}
		require.NoError(t, s.Beat(t.Context(), worker, true))
		_, err := s.TakeBack(t.Context())
		require.NoError(t, err)
		_, err = s.Load(t.Context())
		require.NoError(t, err)
		require.NoError(t, s.FailOverdue(t.Context(), meditation.ReasonTimedOut, time.Now()))
		_, err = s.Shed(t.Context(), meditation.ReasonBusy, 10*time.Millisecond, time.Now())
		require.NoError(t, err)
	})
	for statement, n := range pages {
		t.Logf("%s: %d pages", statement, n)
		most := 100
		if strings.Contains(statement, "Waiting") {
			most = maxCounted * 11 / 10 // one page a row at most, and the index
		}
		require.LessOrEqual(t, n, most, statement)
	}
}

// Work is claimed by many at once, dies with some of its workers and is given back: no attempt at a piece is
// ever two workers'.
func TestNoWorkIsClaimedTwice(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	const pieces, workers = 200, 8
	q.fill(t, pieces)
	var mu sync.Mutex
	owners := map[string]uuid.UUID{}
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			me := meditation.Worker{ID: uuid.New(), Recorders: 1, Lease: time.Minute}
			if err := q.Beat(t.Context(), me, true); err != nil {
				t.Error(err)
				return
			}
			for n := 0; ; n++ {
				m, ok, err := q.Claim(t.Context(), meditation.Claim{Worker: me.ID, Alone: true, Newest: n%2 == 0, Now: time.Now()})
				if err != nil {
					t.Error(err)
					return
				}
				if !ok {
					return
				}
				attempt := fmt.Sprint(m.ID, m.Attempt)
				mu.Lock()
				if owner, claimed := owners[attempt]; claimed {
					t.Errorf("%s is %s's and %s's", attempt, owner, me.ID)
				}
				owners[attempt] = me.ID
				mu.Unlock()
				if n%5 == 4 && m.Attempt < 3 {
					if err := q.GiveBack(t.Context(), m, 0, 0); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	working.Wait()
	ids := map[string]bool{}
	for attempt := range owners {
		ids[attempt[:36]] = true
	}
	require.Len(t, ids, pieces, "and none is left")
}

// fairness is the rule in plain words: of all members' pieces, first those that have the fewest of their own
// before them, and of these the one that was asked for first, or last.
type fairness struct{ pieces []piece }

type piece struct {
	id, uid uuid.UUID
	claimed bool
}

func (f *fairness) next(newest bool) (at int) {
	at, least := -1, 0
	before := map[uuid.UUID]int{}
	for i, p := range f.pieces {
		place := before[p.uid]
		before[p.uid]++
		if !p.claimed && (at < 0 || place < least || newest && place == least) {
			at, least = i, place
		}
	}
	return at
}

func TestWorkIsSharedOutByMemberAsTheRuleSays(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	rapid.Check(t, func(rt *rapid.T) {
		_, err := q.db.Pool.Exec(t.Context(), `DELETE FROM meditations`)
		require.NoError(rt, err)
		members := []uuid.UUID{uuid.New(), uuid.New(), uuid.New(), uuid.New()}
		model := &fairness{}
		now := time.Now().UTC().Truncate(time.Microsecond)
		rt.Repeat(map[string]func(*rapid.T){
			"request": func(rt *rapid.T) {
				now = now.Add(time.Millisecond)
				if m, ok := q.request(rt, rapid.SampledFrom(members).Draw(rt, "member"), now); ok {
					model.pieces = append(model.pieces, piece{id: m.ID, uid: m.UID})
				}
			},
			"claim": func(rt *rapid.T) {
				newest := rapid.Bool().Draw(rt, "newest")
				want := model.next(newest)
				m, ok, err := q.Claim(t.Context(), meditation.Claim{Worker: uuid.New(), Alone: true, Newest: newest, Now: now})
				require.NoError(rt, err)
				require.Equal(rt, want >= 0, ok)
				if ok {
					require.Equal(rt, model.pieces[want].id, m.ID)
					model.pieces[want].claimed = true
				}
			},
			"end": func(rt *rapid.T) {
				if len(model.pieces) == 0 {
					return
				}
				at := rapid.IntRange(0, len(model.pieces)-1).Draw(rt, "piece")
				_, err := q.Cancel(t.Context(), model.pieces[at].uid, model.pieces[at].id, now, now, now,
					func(meditation.Meditation, int) (keep bool, err error) { return false, nil })
				require.NoError(rt, err)
				model.pieces = slices.Delete(model.pieces, at, at+1)
			},
		})
	})
}

// request makes a piece of work wait as a member's request does; it says false where the member has enough.
func (q *queue) request(t require.TestingT, uid uuid.UUID, now time.Time) (meditation.Meditation, bool) {
	m, err := q.Begin(context.Background(), meditation.Meditation{
		ID: uuid.Must(uuid.NewV7()), UID: uid, State: meditation.Holding, Cost: 1, CreatedAt: now, Deadline: now.Add(meditation.Patience),
		Request: meditation.Request{Title: "A quiet evening", Day: "2026-11-21", Key: uuid.New()},
	}, meditation.MaxRunning)
	if err != nil {
		require.ErrorIs(t, err, meditation.ErrTooManyGenerations)
		return m, false
	}
	m.HoldID = uuid.New()
	m, err = q.Enqueue(context.Background(), m, meditation.MaxRunning, now)
	require.NoError(t, err)
	return m, true
}

func TestWhatCannotBeFinishedInTimeIsNotBegunButGivenUpAtOnce(t *testing.T) {
	t.Parallel()
	q := newQueue(t)
	now := time.Now().UTC().Truncate(time.Microsecond)
	late, _ := q.request(t, uuid.New(), now.Add(-meditation.Patience+2*time.Second))
	fine, _ := q.request(t, uuid.New(), now.Add(-meditation.Patience/2))
	_, err := q.db.Pool.Exec(t.Context(), `UPDATE meditations SET expected_us = 220000000`)
	require.NoError(t, err)
	// 220 s of sound at 10 ms each are 2.2 s of work; the late one has 2 s left.
	m, ok := q.claim(t, meditation.Claim{Worker: uuid.New(), Effort: 10 * time.Millisecond, Now: now})
	require.True(t, ok)
	require.Equal(t, fine.ID, m.ID)
	_, ok = q.claim(t, meditation.Claim{Worker: uuid.New(), Effort: 10 * time.Millisecond, Now: now})
	require.False(t, ok)
	n, err := q.Shed(t.Context(), meditation.ReasonBusy, 10*time.Millisecond, now)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	given, err := q.Get(t.Context(), late.UID, late.ID)
	require.NoError(t, err)
	require.Equal(t, meditation.Failed, given.State)
	require.Equal(t, meditation.ReasonBusy, given.FailureReason)
	unreconciled, err := q.Unreconciled(t.Context())
	require.NoError(t, err)
	require.Len(t, unreconciled, 1, "its credits are given back next")
}
