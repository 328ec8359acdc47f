package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"serein.app/services/billing/internal/credits"
	store "serein.app/services/billing/internal/postgres"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// replica is a second store on the same database, as a second process would be.
func replica(t *testing.T, b *harness) *store.Store {
	t.Helper()
	out := outbox.New(b.Pool, nil, "billing", testkit.Logger(t), time.Now)
	s, err := store.New(b.Pool, out, func() time.Time { return b.now }, uuid.NewV7)
	require.NoError(t, err)
	return s
}

// atOnce runs n calls that start together.
func atOnce(n int, run func(i int)) {
	var wg sync.WaitGroup
	gate := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-gate
			run(i)
		})
	}
	close(gate)
	wg.Wait()
}

func TestOfManyHoldsAtOnceOnlyAffordableOnesSucceed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ calls, credits, amount, want int64 }{
		{calls: 10, credits: 1, amount: 1, want: 1},
		{calls: 50, credits: 3, amount: 1, want: 3},
		{calls: 50, credits: 7, amount: 2, want: 3},
	} {
		t.Run(fmt.Sprintf("%d calls for %d credits with %d left", c.calls, c.amount, c.credits), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			uid := b.member(t, c.credits)
			stores := []*store.Store{b.store, replica(t, b)}
			var held, refused atomic.Int64
			atOnce(int(c.calls), func(i int) {
				_, _, err := stores[i%2].Hold(t.Context(), request(uid, c.amount, fmt.Sprint("key ", i)))
				switch {
				case err == nil:
					held.Add(1)
				case errors.Is(err, credits.ErrInsufficient):
					refused.Add(1)
				default:
					t.Errorf("hold: %v", err)
				}
			})
			require.Equal(t, c.want, held.Load())
			require.Equal(t, c.calls-c.want, refused.Load())
			require.Equal(t, credits.Balance{TopUpAvailable: c.credits - c.want*c.amount, Held: c.want * c.amount}, b.balance(t, uid))
			requireSound(t, b, uid)
		})
	}
}

// The function alone, a connection a call and nothing gathered, so that its row lock is what
// is tested: without it callers would meet constraint violations.
func TestHoldsOnManyConnectionsAtOnceAreHeldOrInsufficient(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 2)
	b.grant(t, uid, credits.PlanPool, 3, "trial:"+uid.String(), 24*time.Hour)
	var plan, topUp, refused atomic.Int64
	atOnce(40, func(i int) {
		var outcome string
		var fromPlan, fromTopUp int64
		err := b.Pool.QueryRow(t.Context(), `SELECT outcome, plan, top_up FROM hold_credits(gen_random_uuid(), $1, 1, $2, 'r', 'd',
			$3, $4, ARRAY[gen_random_uuid(), gen_random_uuid()], ARRAY[''::bytea, ''])`,
			uid, fmt.Sprint(i), b.now, b.now.Add(time.Hour)).Scan(&outcome, &fromPlan, &fromTopUp)
		switch {
		case err != nil:
			t.Errorf("hold: %v", err)
		case outcome == "held":
			plan.Add(fromPlan)
			topUp.Add(fromTopUp)
		case outcome == "insufficient":
			refused.Add(1)
		}
	})
	require.Equal(t, []int64{3, 2, 35}, []int64{plan.Load(), topUp.Load(), refused.Load()})
	requireSound(t, b, uid)
}

func TestOneKeyAtOnceIsOneHold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 20)
	stores := []*store.Store{b.store, replica(t, b)}
	holds := make([]credits.Hold, 20)
	atOnce(len(holds), func(i int) {
		hold, _, err := stores[i%2].Hold(t.Context(), request(uid, 2, "one key"))
		if err != nil {
			t.Errorf("hold: %v", err)
		}
		holds[i] = hold
	})
	for _, hold := range holds {
		require.Equal(t, holds[0], hold, "every caller gets the same answer")
	}
	require.Equal(t, credits.Balance{TopUpAvailable: 18, Held: 2}, b.balance(t, uid))
}

func TestOneKeyOfTwoMembersAtOnceIsOneHold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	members := []uuid.UUID{b.member(t, 5), b.member(t, 5)}
	stores := []*store.Store{b.store, replica(t, b)}
	var held, reused atomic.Int64
	atOnce(10, func(i int) {
		_, _, err := stores[i/2%2].Hold(t.Context(), request(members[i%2], 1, "one key"))
		switch {
		case err == nil:
			held.Add(1)
		case errors.Is(err, credits.ErrKeyReused):
			reused.Add(1)
		default:
			t.Errorf("hold: %v", err)
		}
	})
	require.EqualValues(t, 5, held.Load(), "all calls of the member who was first")
	require.EqualValues(t, 5, reused.Load())
	require.EqualValues(t, 9, b.balance(t, members[0]).TopUpAvailable+b.balance(t, members[1]).TopUpAvailable)
}

func TestOfCaptureAndReleaseAtOnceOneWins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 30)
	stores := []*store.Store{b.store, replica(t, b)}
	for round := range 10 {
		hold, _, err := b.store.Hold(t.Context(), request(uid, 1, fmt.Sprint("round ", round)))
		require.NoError(t, err)
		var captured, released atomic.Int64
		atOnce(8, func(i int) {
			if i%2 == 0 {
				if err := stores[i/2%2].Capture(t.Context(), hold.ID); err == nil {
					captured.Add(1)
				}
			} else if err := stores[i/2%2].Release(t.Context(), hold.ID); err == nil {
				released.Add(1)
			}
		})
		ways := []int64{captured.Load(), released.Load()}
		require.ElementsMatch(t, []int64{4, 0}, ways, "one way of ending wins for all its callers, the other is refused")
		requireSound(t, b, uid)
	}
}

func TestTenSweepsAtOnceExpireOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 0)
	b.grant(t, uid, credits.PlanPool, 8, "trial:"+uid.String(), 24*time.Hour)
	_, _, err := b.store.Hold(t.Context(), request(uid, 2, "work"))
	require.NoError(t, err)
	b.now = b.now.Add(48 * time.Hour)
	atOnce(10, func(int) {
		if _, err := b.store.Sweep(t.Context()); err != nil {
			t.Errorf("sweep: %v", err)
		}
	})
	entries, err := b.store.Entries(t.Context(), uid, credits.Top, 100)
	require.NoError(t, err)
	require.Len(t, entries, 3, "the grant, the release and one expiry")
	require.EqualValues(t, -8, entries[0].Change)
	require.Equal(t, start.Add(24*time.Hour), entries[0].At, "an expiry is dated when it was due, not when it was found")
}

// TestLostConnectionsNeitherLoseNorDoubleAnything cuts the service's connections while many
// members hold and capture, each call repeated until it is answered.
func TestLostConnectionsNeitherLoseNorDoubleAnything(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const members, rounds = 12, 12
	uids := make([]uuid.UUID, members)
	for i := range uids {
		uids[i] = b.member(t, rounds)
	}
	admin, err := pgx.Connect(t.Context(), b.AdminURL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = admin.Close(context.Background()) })

	var cuts atomic.Int64
	ctx, stop := context.WithCancel(t.Context())
	var cutter sync.WaitGroup
	cutter.Go(func() {
		for ctx.Err() == nil && cuts.Load() < 300 {
			var n int64
			// The cut comes in the middle of whatever each connection is doing.
			err := admin.QueryRow(ctx, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
				WHERE usename = 'billing' AND datname = current_database() AND state = 'active'`).Scan(&n)
			if err == nil {
				cuts.Add(n)
			}
		}
	})
	atOnce(members, func(i int) {
		for round := range rounds {
			var hold credits.Hold
			insist(t, func() (err error) {
				hold, _, err = b.store.Hold(t.Context(), request(uids[i], 1, fmt.Sprint(i, "/", round)))
				return err
			})
			insist(t, func() error { return b.store.Capture(t.Context(), hold.ID) })
		}
	})
	stop()
	cutter.Wait()
	require.Positive(t, cuts.Load(), "the test must really cut")
	t.Logf("%d connections cut", cuts.Load())
	b.Pool.Reset() // some were cut while nobody used them; what is read below is not to meet those
	for _, uid := range uids {
		insist(t, func() error { _, err := b.store.Account(t.Context(), uid); return err })
		require.Equal(t, credits.Balance{}, b.balance(t, uid), "every credit is spent once")
		requireSound(t, b, uid)
		var spends, events int
		require.NoError(t, b.Pool.QueryRow(t.Context(), `SELECT count(*) FROM entries WHERE uid = $1 AND to_account = 'spent'`, uid).Scan(&spends))
		require.Equal(t, rounds, spends)
		require.NoError(t, b.Pool.QueryRow(t.Context(), `SELECT count(*) FROM outbox WHERE subject = 'serein.billing.credits.spent.v1'
			AND position($1::text::bytea IN payload) > 0`, uid.String()).Scan(&events))
		require.Equal(t, rounds, events, "E1: one event for each spend")
	}
}

// Calls travel together; one that the database refuses must not take the others with it.
func TestACallThatFailsSpoilsNoneOfThoseItTravelsWith(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uids := make([]uuid.UUID, 100)
	for i := range uids {
		uids[i] = b.member(t, 1)
	}
	atOnce(2*len(uids), func(i int) {
		amount := int64(i % 2) // none at all is what the database refuses
		_, _, err := b.store.Hold(t.Context(), request(uids[i/2], amount, fmt.Sprint(i)))
		if (err == nil) != (amount == 1) {
			t.Errorf("a hold of %d: %v", amount, err)
		}
	})
	for _, uid := range uids {
		require.Equal(t, credits.Balance{Held: 1}, b.balance(t, uid))
	}
}

// While somebody holds one member's row, all others hold and capture as ever; the member's own calls wait for the
// row or for the end of their caller's patience, and go on when it is free.
func TestALockedRowDelaysItsOwnMemberAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const members, rounds = 40, 5
	locked := b.member(t, 100)
	uids := make([]uuid.UUID, members)
	for i := range uids {
		uids[i] = b.member(t, rounds)
	}
	tx, err := b.owner(t).Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `SELECT FROM balances WHERE uid = $1 FOR UPDATE`, locked)
	require.NoError(t, err)

	impatient, leave := context.WithCancel(t.Context())
	var waiting sync.WaitGroup
	patient := make([]error, 8)
	for i := range patient {
		waiting.Go(func() {
			_, _, patient[i] = b.store.Hold(context.Background(), request(locked, 1, fmt.Sprint("patient ", i)))
		})
	}
	for i := range 8 {
		waiting.Go(func() {
			if _, _, err := b.store.Hold(impatient, request(locked, 1, fmt.Sprint("impatient ", i))); !errors.Is(err, context.Canceled) {
				t.Errorf("a caller who left: %v", err)
			}
		})
	}
	atOnce(members, func(i int) {
		for round := range rounds {
			hold, _, err := b.store.Hold(t.Context(), request(uids[i], 1, fmt.Sprint(i, "/", round)))
			if err == nil {
				err = b.store.Capture(t.Context(), hold.ID)
			}
			if err != nil {
				t.Errorf("another member: %v", err)
			}
		}
	})
	for _, uid := range uids {
		require.Equal(t, credits.Balance{}, b.balance(t, uid))
	}
	leave()
	require.NoError(t, tx.Rollback(t.Context()))
	waiting.Wait()
	for _, err := range patient {
		require.NoError(t, err)
	}
	require.GreaterOrEqual(t, b.balance(t, locked).Held, int64(len(patient)))
	requireSound(t, b, locked)
}

// insist repeats a call that fails for want of a connection, as a caller would.
func insist(t *testing.T, call func() error) {
	t.Helper()
	for range 5000 {
		if err := call(); err == nil {
			return
		}
	}
	t.Error("no answer after 5,000 tries")
}

// A caller that gives up returns before the answer arrives; the race detector reports a read of the
// answer after that. The detector would take later network traffic for synchronisation, so each call
// has the network to itself until its batch has ended.
func TestACallerWhoGivesUpReadsNothingOfTheAnswer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.member(t, 2)
	ended := make(batchEnds, 8)
	config, err := pgxpool.ParseConfig(b.URL)
	require.NoError(t, err)
	config.ConnConfig.Tracer = ended
	db, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(db.Close)
	require.NoError(t, db.Ping(t.Context()))
	s, err := store.New(db, outbox.New(db, nil, "billing", testkit.Logger(t), time.Now), func() time.Time { return b.now }, uuid.NewV7)
	require.NoError(t, err)
	made, _, err := b.store.Hold(t.Context(), request(uid, 1, "made before"))
	require.NoError(t, err)
	require.NoError(t, s.Release(t.Context(), made.ID), "it knows the hold now")
	<-ended

	gone, leave := context.WithCancel(t.Context())
	leave()
	_, _, err = s.Hold(gone, request(uid, 1, "given up"))
	<-ended
	require.ErrorIs(t, err, context.Canceled)
	err = s.Release(gone, made.ID)
	<-ended
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, credits.Balance{TopUpAvailable: 1, Held: 1}, b.balance(t, uid), "it took effect all the same")
}

// batchEnds hears of every batch that has been read to its end.
type batchEnds chan struct{}

func (batchEnds) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}
func (batchEnds) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (batchEnds) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}
func (batchEnds) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (b batchEnds) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)   { b <- struct{}{} }
