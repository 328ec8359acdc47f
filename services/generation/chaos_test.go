package generation

import (
	"bytes"
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/errs"
)

// chaos is one run: members ask for meditations and cancel them while processes die and billing fails.
type chaos struct {
	*harness
	mu       sync.Mutex
	rng      *rand.Rand
	answered map[uuid.UUID]uuid.UUID // meditation id → member, for every request that was answered
	faults   int
}

func (c *chaos) roll(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rng.IntN(n)
}

// failSometimes fails one call in eight.
func (c *chaos) failSometimes(string) error {
	if c.roll(8) > 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.faults++
	return errAway
}

// TestUnderDeathsAndOutagesEveryCreditIsAccountedFor checks the books after random deaths and outages: each member whose
// request was accepted has the meditation or the credits back, each hold ended once, and no meditation is made
// or published twice.
func TestUnderDeathsAndOutagesEveryCreditIsAccountedFor(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	c := &chaos{harness: newHarness(t), rng: rand.New(rand.NewPCG(seed, 1)), answered: map[uuid.UUID]uuid.UUID{}}
	const granted = 7
	members := make([]uuid.UUID, 8)
	for i := range members {
		members[i] = c.member(granted)
	}
	for range 6 {
		c.badHour(members)
	}
	c.recover()

	require.Positive(t, c.faults, "faults were injected")
	spent := map[uuid.UUID]int64{}
	for id, uid := range c.answered {
		m, segments, err := c.start(0, time.Minute).Get(t.Context(), uid, id)
		require.NoError(t, err, "a request that was answered is never lost")
		require.True(t, m.State.Ended())
		require.True(t, m.Reconciled)
		if m.State == meditation.Ready {
			require.Len(t, segments, m.PassagesTotal)
			require.Equal(t, m.EndedEarly, m.PassagesTotal < passages)
		}
	}
	rows, err := c.db.Pool.Query(t.Context(), `SELECT id, uid, state, cost, hold_id FROM meditations`)
	require.NoError(t, err)
	for rows.Next() {
		var id, uid uuid.UUID
		var state, holdID string
		var cost int64
		require.NoError(t, rows.Scan(&id, &uid, &state, &cost, &holdID))
		if state == "ready" {
			spent[uid] += cost
			require.Equal(t, "captured", c.billing.byID[holdID].state)
			require.True(t, bytes.HasPrefix(wholeSound(id.String()), c.audio(c.start(0, time.Minute), uid, id)))
		} else {
			require.Equal(t, "released", c.billing.byID[holdID].state, state)
		}
	}
	require.NoError(t, rows.Err())
	require.Zero(t, c.billing.holds()["open"])
	require.Equal(t, c.billing.holds()["captured"], c.count(`SELECT count(*) FROM meditations WHERE state = 'ready'`))
	for _, uid := range members {
		require.Equal(t, granted-spent[uid], c.billing.available(uid))
	}
	published := c.events()
	require.Equal(t, c.count(`SELECT count(*) FROM meditations`), published["requested"])
	require.Equal(t, c.count(`SELECT count(*) FROM meditations WHERE state = 'ready'`), published["completed"])
	require.Equal(t, c.count(`SELECT count(*) FROM meditations WHERE state IN ('failed', 'cancelled')`), published["failed"])
	t.Logf("%d answered, %d faults, holds %v, events %v", len(c.answered), c.faults, c.billing.holds(), published)
}

// badHour runs one process until it dies or everybody is served.
func (c *chaos) badHour(members []uuid.UUID) {
	c.billing.fail(c.failSometimes, c.failSometimes)
	m := crashAt(10+c.roll(60), c.roll(2) == 0)
	p := c.start(2, time.Minute, m.wrap)
	var asking sync.WaitGroup
	for _, uid := range members {
		asking.Go(func() { c.request(p, uid) })
	}
	asking.Wait()
	require.Eventually(c.t, func() bool {
		return m.alive() != nil || c.count(`SELECT count(*) FROM meditations WHERE state IN ('queued', 'writing', 'narrating', 'finishing')`) == 0
	}, waitFor, 5*time.Millisecond)
	p.stop()
	c.lapse()
}

func (c *chaos) request(p *process, uid uuid.UUID) {
	r := request()
	r.Immersive = c.roll(2) == 0
	var made meditation.Meditation
	var err error
	for range 3 { // a browser tries again with the same key
		if made, err = p.Create(context.Background(), uid, r); err == nil || errs.From(err).Word() == "INSUFFICIENT_CREDITS" {
			break
		}
	}
	if err != nil {
		return
	}
	c.mu.Lock()
	c.answered[made.ID] = uid
	c.mu.Unlock()
	if c.roll(4) == 0 {
		_, _ = p.Cancel(context.Background(), uid, made.ID, c.roll(2)*made.Cost)
	}
}

// recover lets everything work again and waits until nothing is left to do.
func (c *chaos) recover() {
	c.billing.fail(nil, nil)
	p := c.start(2, time.Minute)
	require.Eventually(c.t, func() bool {
		return c.count(`SELECT count(*) FROM meditations WHERE state IN ('queued', 'writing', 'narrating', 'finishing')`) == 0
	}, waitFor, 5*time.Millisecond)
	c.pass(meditation.HoldingTime + time.Second)
	c.exec(`UPDATE meditations SET next_try_at = now()`)
	require.NoError(c.t, p.Sweep(c.t.Context()))
}
