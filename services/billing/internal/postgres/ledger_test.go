package postgres_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/billing/internal/credits"
)

// machine drives the database and the model with the same random steps.
type machine struct {
	*harness
	model
	uid   uuid.UUID
	keys  int
	seen  []credits.Entry
	shown []shownBalance
}

// shownBalance is what a member saw at a moment.
type shownBalance struct {
	at    time.Time
	total int64
}

// TestLedgerAgreesWithAPlainModel proves C1 to C14 of the ledger's invariants (README.md)
// over random histories of grants, holds, captures, releases, refunds, expiries and repeats.
func TestLedgerAgreesWithAPlainModel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	rapid.Check(t, func(t *rapid.T) {
		b.now = start
		m := &machine{
			harness: b, uid: uuid.Must(uuid.NewV7()), seen: []credits.Entry{},
			model: model{causes: map[string]bool{}, entries: []credits.Entry{}, events: []string{}},
		}
		t.Repeat(map[string]func(*rapid.T){
			"":              m.check,
			"grant":         m.stepGrant,
			"hold":          m.stepHold,
			"repeat a hold": m.stepRepeat,
			"capture":       m.stepCapture,
			"release":       m.stepRelease,
			"refund":        m.stepRefund,
			"wait":          m.stepWait,
			"look":          m.stepLook,
			"sweep":         m.stepSweep,
		})
		m.finish(t)
	})
}

// tick makes every moment distinct, so that "the balance at t" is one number.
func (m *machine) tick() { m.now = m.now.Add(time.Millisecond) }

func (m *machine) stepGrant(t *rapid.T) {
	m.tick()
	pool := rapid.SampledFrom([]credits.Pool{credits.PlanPool, credits.TopUpPool}).Draw(t, "pool")
	amount := rapid.Int64Range(1, 8).Draw(t, "amount")
	life := time.Duration(rapid.IntRange(1, 72).Draw(t, "hours")) * time.Hour
	// Few causes, so that they come again.
	cause := fmt.Sprintf("test:%s:%d", m.uid, rapid.IntRange(0, 12).Draw(t, "cause"))
	want := m.model.add(pool, amount, cause, m.now, life)
	require.Equal(t, want, m.harness.grant(t, m.uid, pool, amount, cause, life), "a cause is granted once")
}

func (m *machine) stepHold(t *rapid.T) {
	m.tick()
	m.keys++
	r := request(m.uid, rapid.Int64Range(1, 3).Draw(t, "amount"), fmt.Sprintf("%s/%d", m.uid, m.keys))
	r.TTL = time.Duration(rapid.IntRange(1, 48*60).Draw(t, "minutes")) * time.Minute
	m.place(t, r)
}

// stepRepeat sends an old key again, as it was or changed in one field.
func (m *machine) stepRepeat(t *rapid.T) {
	h := m.anyHold(t)
	if h == nil {
		return
	}
	m.tick()
	r := h.request
	switch rapid.IntRange(0, 4).Draw(t, "change") {
	case 0:
		r.Amount++
	case 1:
		r.Reference += "x"
	case 2:
		r.TTL += time.Minute
	}
	m.place(t, r)
}

func (m *machine) place(t *rapid.T, r credits.HoldRequest) {
	got, left, err := m.store.Hold(context.Background(), r)
	want, wantErr := m.model.hold(r, m.now, got.ID)
	require.ErrorIs(t, err, wantErr)
	if wantErr == nil {
		require.NoError(t, err)
		require.Equal(t, want.Hold, got)
		require.Equal(t, m.model.balance(), left)
	}
}

func (m *machine) stepCapture(t *rapid.T) {
	if h := m.anyHold(t); h != nil {
		m.tick()
		m.same(t, m.model.capture(h, m.now), m.store.Capture(context.Background(), h.ID))
	}
}

func (m *machine) stepRelease(t *rapid.T) {
	if h := m.anyHold(t); h != nil {
		m.tick()
		m.same(t, m.model.release(h, m.now), m.store.Release(context.Background(), h.ID))
	}
}

func (m *machine) stepRefund(t *rapid.T) {
	if h := m.anyHold(t); h != nil {
		m.tick()
		_, err := m.store.Refund(context.Background(), h.ID)
		m.same(t, m.model.refund(h, m.now), err)
	}
}

func (m *machine) same(t *rapid.T, want, got error) {
	if want == nil {
		require.NoError(t, got)
		return
	}
	require.ErrorIs(t, got, want)
}

// anyHold is nil while there is none.
func (m *machine) anyHold(t *rapid.T) *modelHold {
	if len(m.holds) == 0 {
		return nil
	}
	return rapid.SampledFrom(m.holds).Draw(t, "hold")
}

func (m *machine) stepWait(t *rapid.T) {
	m.now = m.now.Add(time.Duration(rapid.IntRange(1, 30*60).Draw(t, "minutes")) * time.Minute)
}

func (m *machine) stepLook(t *rapid.T) {
	m.tick()
	m.settle(m.now)
	got := m.harness.balance(t, m.uid)
	require.Equal(t, m.model.balance(), got)
	m.shown = append(m.shown, shownBalance{m.now, got.Total()})
}

func (m *machine) stepSweep(t *rapid.T) {
	m.tick()
	_, err := m.store.Sweep(context.Background())
	require.NoError(t, err)
}

// check holds after every step, settled or not.
func (m *machine) check(t *rapid.T) {
	requireSound(t, m.harness, m.uid)
	entries := m.rawEntries(t)
	require.GreaterOrEqual(t, len(entries), len(m.seen), "C9: entries never go")
	require.Equal(t, m.seen, entries[:len(m.seen)], "C9: entries never change")
	m.seen = entries
}

func (m *machine) rawEntries(t require.TestingT) []credits.Entry {
	rows, err := m.Pool.Query(context.Background(), `
		SELECT position, cause, at, CASE WHEN from_account IN ('issued', 'spent') THEN amount ELSE -amount END, balance_after,
		       CASE WHEN from_account IN ('issued', 'spent') THEN to_account ELSE from_account END::text,
		       CASE WHEN from_account = 'issued' THEN 'grant' WHEN from_account = 'spent' THEN 'refund'
		            WHEN to_account = 'spent' THEN 'spend' ELSE 'expiry' END, '', '', 0, 0, 0
		FROM entries WHERE uid = $1 ORDER BY position`, m.uid)
	require.NoError(t, err)
	entries, err := pgx.CollectRows(rows, pgx.RowToStructByPos[credits.Entry])
	require.NoError(t, err)
	for i := range entries {
		entries[i].At = entries[i].At.UTC()
	}
	return entries
}

// finish compares the whole history.
func (m *machine) finish(t *rapid.T) {
	m.stepLook(t)
	entries := m.rawEntries(t)
	require.Equal(t, m.entries, entries, "C7, C8: the ledger is the model's")
	require.Equal(t, m.ledger(), m.pages(t), "C14: page by page, with what changed nothing where it happened")
	for _, s := range m.shown {
		var total int64
		for _, e := range entries {
			if !e.At.After(s.at) {
				total += e.Change
			}
		}
		require.Equal(t, s.total, total, "C11: the balance shown at %s", s.at)
	}
	require.Equal(t, m.events, m.rawEvents(t), "E1: one event for each change, in order")
}

// pages are the whole ledger as a member reads it. What a grant is for, and what an entry is of, is of no matter here.
func (m *machine) pages(t *rapid.T) (all []credits.Entry) {
	size := rapid.Int32Range(1, 9).Draw(t, "page")
	for below := credits.Top; ; below = all[len(all)-1].Place() {
		page, err := m.store.Entries(context.Background(), m.uid, below, size)
		require.NoError(t, err)
		for _, e := range page {
			if e.Description = ""; e.Number == 0 {
				e.Reference = ""
			}
			all = append(all, e)
		}
		require.LessOrEqual(t, len(all), len(m.entries)+len(m.notes), "each line is on one page")
		if len(page) < int(size) {
			return all
		}
	}
}

// rawEvents reads the last words of the member's events, in the order they were written.
func (m *machine) rawEvents(t *rapid.T) []string {
	rows, err := m.Pool.Query(context.Background(), `SELECT subject, payload FROM outbox ORDER BY seq`)
	require.NoError(t, err)
	defer rows.Close()
	found := []string{}
	for rows.Next() {
		var subject string
		var payload []byte
		require.NoError(t, rows.Scan(&subject, &payload))
		var envelope eventsv1.Envelope
		require.NoError(t, proto.Unmarshal(payload, &envelope))
		if envelope.GetUid() == m.uid.String() {
			found = append(found, strings.Split(subject, ".")[3])
		}
	}
	require.NoError(t, rows.Err())
	return found
}

// requireSound checks what must hold for a member at any moment, in one statement and so in
// one snapshot.
func requireSound(t require.TestingT, b *harness, uid uuid.UUID) {
	var exists, sums, zero, held, positions, runs, notes bool
	err := b.Pool.QueryRow(context.Background(), `
		WITH m AS (SELECT * FROM entries WHERE uid = $1),
		     n AS (SELECT * FROM notes WHERE uid = $1),
		     o AS (SELECT coalesce(sum(plan_credits), 0) AS plan, coalesce(sum(top_up_credits), 0) AS top_up
		           FROM holds WHERE uid = $1 AND state = 'held'),
		     l AS (SELECT cause, sum(change) AS total FROM legs WHERE uid = $1 GROUP BY cause)
		SELECT true,
		  b.plan_available + b.plan_held = (SELECT coalesce(sum(change), 0) FROM legs WHERE uid = $1 AND account = 'plan')
		  AND b.top_up_available + b.top_up_held = (SELECT coalesce(sum(change), 0) FROM legs WHERE uid = $1 AND account = 'top_up'),
		  NOT EXISTS (SELECT FROM l WHERE total <> 0),
		  b.plan_held = o.plan AND b.top_up_held = o.top_up,
		  b.entry_count = (SELECT count(*) FROM m) AND b.entry_count = (SELECT coalesce(max(position), 0) FROM m),
		  NOT EXISTS (
		      SELECT FROM (SELECT balance_after, at, lag(at) OVER w AS before, sum(change) OVER w AS running FROM (
		          SELECT position, 0 AS number, at, balance_after, CASE WHEN from_account IN ('issued', 'spent') THEN amount ELSE -amount END AS change FROM m
		          UNION ALL SELECT position, number, at, balance_after, 0 FROM n) AS lines
		          WINDOW w AS (ORDER BY position, number)) AS history
		      WHERE running <> balance_after OR before > at),
		  b.note_count = (SELECT count(*) FROM n) AND b.note_count = (SELECT coalesce(max(number), 0) FROM n)
		  AND NOT EXISTS (
		      SELECT FROM (SELECT * FROM holds WHERE uid = $1) AS h FULL JOIN (SELECT * FROM n WHERE kind = 'release') AS r ON r.cause = 'release:' || h.id
		      WHERE h.id IS NULL OR (r.cause IS NOT NULL) <> (h.state IN ('released', 'expired'))
		         OR r.plan_credits <> h.plan_credits OR r.top_up_credits <> h.top_up_credits OR r.reference <> h.reference)
		FROM balances b, o WHERE b.uid = $1`, uid).Scan(&exists, &sums, &zero, &held, &positions, &runs, &notes)
	if err == pgx.ErrNoRows { //nolint:errorlint // QueryRow gives it bare
		return // a member without credits has no row
	}
	require.NoError(t, err)
	require.True(t, sums, "C1: each pool is the sum of its entries")
	require.True(t, zero, "C2: every transaction sums to zero")
	require.True(t, held, "C3: held is the sum of open holds")
	require.True(t, positions, "C9: positions have no gaps")
	require.True(t, runs, "C11: the balance of each line is the sum so far, and time never runs back")
	require.True(t, notes, "C14: a hold leaves a note where it ended uncaptured, and nowhere else")
}
