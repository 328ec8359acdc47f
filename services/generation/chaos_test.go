package generation

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/errs"
)

// chaos is one run: members press and cancel while processes die and billing fails.
type chaos struct {
	*house
	mu     sync.Mutex
	rng    *rand.Rand
	told   map[string]string // meditation id → member, for every press that was answered
	faults int
}

func (c *chaos) roll(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rng.IntN(n)
}

// stumble fails one call in eight.
func (c *chaos) stumble(string) error {
	if c.roll(8) > 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.faults++
	return errAway
}

// TestUnderDeathsAndOutagesEveryCreditIsAccountedFor checks the books after a bad day: whoever
// was told of a meditation has it or has the credits back, each hold ended once, nothing is made
// or told twice.
func TestUnderDeathsAndOutagesEveryCreditIsAccountedFor(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	c := &chaos{house: newHouse(t), rng: rand.New(rand.NewPCG(seed, 1)), told: map[string]string{}}
	const granted = 7
	members := make([]string, 8)
	for i := range members {
		members[i] = c.member(granted)
	}
	for range 6 {
		c.badHour(members)
	}
	c.recover()

	require.Positive(t, c.faults, "faults were injected")
	spent := map[string]int64{}
	for id, uid := range c.told {
		m, segments, err := c.start(0, time.Minute).Get(t.Context(), uid, id)
		require.NoError(t, err, "a press that was answered is never lost")
		require.True(t, m.State.Ended())
		require.True(t, m.Settled)
		if m.State == meditation.Ready {
			require.Len(t, segments, passages)
		}
	}
	rows, err := c.db.Pool.Query(t.Context(), `SELECT id, uid, state, cost, hold_id FROM meditations`)
	require.NoError(t, err)
	for rows.Next() {
		var id, uid, state, holdID string
		var cost int64
		require.NoError(t, rows.Scan(&id, &uid, &state, &cost, &holdID))
		if state == "ready" {
			spent[uid] += cost
			require.Equal(t, "captured", c.bank.byID[holdID].state)
			require.Equal(t, recording(id), c.audio(c.start(0, time.Minute), uid, id))
		} else {
			require.Equal(t, "released", c.bank.byID[holdID].state, state)
		}
	}
	require.NoError(t, rows.Err())
	require.Zero(t, c.bank.holds()["open"])
	require.Equal(t, c.bank.holds()["captured"], c.count(`SELECT count(*) FROM meditations WHERE state = 'ready'`))
	for _, uid := range members {
		require.Equal(t, granted-spent[uid], c.bank.available(uid))
	}
	told := c.events()
	require.Equal(t, c.count(`SELECT count(*) FROM meditations`), told["requested"])
	require.Equal(t, c.count(`SELECT count(*) FROM meditations WHERE state = 'ready'`), told["completed"])
	require.Equal(t, c.count(`SELECT count(*) FROM meditations WHERE state IN ('failed', 'cancelled')`), told["failed"])
	t.Logf("%d told, %d faults, holds %v, events %v", len(c.told), c.faults, c.bank.holds(), told)
}

// badHour runs one process until it dies or everybody is served.
func (c *chaos) badHour(members []string) {
	c.bank.fail(c.stumble, c.stumble)
	m := mortal(10+c.roll(60), c.roll(2) == 0)
	p := c.start(2, time.Minute, m.inhabit)
	var pressing sync.WaitGroup
	for _, uid := range members {
		pressing.Go(func() { c.press(p, uid) })
	}
	pressing.Wait()
	require.Eventually(c.t, func() bool {
		return m.alive() != nil || c.count(`SELECT count(*) FROM meditations WHERE state IN ('queued', 'writing', 'narrating', 'finishing')`) == 0
	}, waitFor, 5*time.Millisecond)
	p.stop()
	c.lapse()
}

func (c *chaos) press(p *process, uid string) {
	r := request()
	r.Immersive = c.roll(2) == 0
	var made meditation.Meditation
	var err error
	for range 3 { // a browser tries again with the same key
		if made, err = p.Create(context.Background(), uid, r); err == nil || errs.From(err).Reason == "INSUFFICIENT_CREDITS" {
			break
		}
	}
	if err != nil {
		return
	}
	c.mu.Lock()
	c.told[made.ID] = uid
	c.mu.Unlock()
	if c.roll(4) == 0 {
		_, _ = p.Cancel(context.Background(), uid, made.ID)
	}
}

// recover lets everything work again and waits until nothing is left to do.
func (c *chaos) recover() {
	c.bank.fail(nil, nil)
	p := c.start(2, time.Minute)
	require.Eventually(c.t, func() bool {
		return c.count(`SELECT count(*) FROM meditations WHERE state IN ('queued', 'writing', 'narrating', 'finishing')`) == 0
	}, waitFor, 5*time.Millisecond)
	c.pass(meditation.HoldingTime + time.Second)
	c.exec(`UPDATE meditations SET next_try_at = now()`)
	require.NoError(c.t, p.Sweep(c.t.Context()))
}
