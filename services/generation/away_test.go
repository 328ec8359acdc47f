package generation

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/services/generation/internal/billing"
	"serein.app/services/generation/internal/content"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/pause"
	"serein.app/services/testkit"
)

// withBillingAt makes a process ask the billing at an address.
func withBillingAt(t *testing.T, url string) option {
	t.Helper()
	return func(p *meditation.Ports) {
		p.Credits = billing.New(billingv1connect.NewCreditServiceClient(testkit.Dialer(t, Name).To("billing", url)))
	}
}

// returns fails the test if the call waits for a silent service without its own time limit.
func returns(t *testing.T, what string, call func()) {
	t.Helper()
	returned := make(chan struct{})
	go func() { defer close(returned); call() }()
	select {
	case <-returned:
	case <-time.After(waitFor):
		require.Fail(t, "it does not return", what)
	}
}

func TestASilentBillingCostsRequestsTheirTimeAndReadsNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(4)
	healthy := h.start(1, time.Minute)
	made := h.ended(healthy, uid, h.create(healthy, uid).ID)
	silent, asked := testkit.CountedSilent(t)
	p := h.start(0, time.Minute, withBillingAt(t, "http://"+silent))
	const requests = 8
	require.Eventually(t, func() bool {
		before, refusals := asked(), make(chan error, requests)
		for range requests {
			go func() {
				_, err := p.Create(context.Background(), uuid.New(), request())
				refusals <- err
			}()
		}
		// Each asks while the others wait.
		for asked() < before+requests && len(refusals) == 0 {
			require.NoError(t, pause.For(t.Context(), time.Millisecond))
		}
		for range 5 {
			_, _, err := p.Get(t.Context(), uid, made.ID)
			require.NoError(t, err)
			require.NotEmpty(t, h.audio(p, uid, made.ID))
		}
		meanwhile := len(refusals) == 0 // on a slow machine one may have had its time
		for range requests {
			require.ErrorIs(t, <-refusals, meditation.ErrBillingAway)
		}
		return meanwhile
	}, waitFor, time.Millisecond, "all requests wait together, and what is only read is answered meanwhile")
}

// What is recorded waits for billing; what is queued behind it is recorded all the same.
func TestASilentBillingHoldsUpTheEndOfWorkAndNoOtherWork(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	creating := h.start(0, time.Minute)
	const works = 4
	ids := map[uuid.UUID]uuid.UUID{}
	for range works {
		uid := h.member(2)
		ids[uid] = h.create(creating, uid).ID
	}
	p := h.start(2, time.Minute, withBillingAt(t, "http://"+testkit.Silent(t)))
	require.Eventually(t, func() bool {
		return h.count(`SELECT count(*) FROM meditations WHERE state = 'finishing'`) == works
	}, waitFor, 10*time.Millisecond)
	returns(t, "a stop", p.stop)
	require.Zero(t, h.billing.calls("capture"))

	again := h.start(2, time.Minute)
	for uid, id := range ids {
		require.Equal(t, meditation.Ready, h.ended(again, uid, id).State)
	}
	require.EqualValues(t, works, h.billing.captures)
}

// Holds that cannot be ended leave the rest of a sweep its time, which ends long before a sweep is cut off.
func TestASilentBillingCostsASweepAShareOfItsTime(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	p := h.start(0, time.Minute, withBillingAt(t, "http://"+testkit.Silent(t)))
	const unreconciled = 100
	insert := `INSERT INTO meditations (id, uid, title, type_id, practice_id, size_id, immersive, track_id, day, brief, narrator_id,
			narrator_name, cost, hold_id, state, settled, next_try_at, created_at, deadline, ended_at)
		SELECT gen_random_uuid(), gen_random_uuid(), 'x', 'x', 'x', 'x', false, '', '2026-11-21', '{}', 'x', 'x', 1, gen_random_uuid(),
			'cancelled', $2, now() - interval '1 day', now(), now() + interval '1 minute', now() FROM generate_series(1, $1)`
	h.exec(insert, unreconciled, false)
	h.exec(insert, 1, true)
	var swept error
	returns(t, "a sweep", func() { swept = p.Sweep(t.Context()) })
	require.Error(t, swept)
	require.Equal(t, 1, h.count(`SELECT count(*) FROM meditations WHERE tidied`))
	waiting := h.count(`SELECT count(*) FROM meditations WHERE NOT settled AND next_try_at > now() - interval '1 hour'`)
	require.Positive(t, waiting, "what was asked about comes later")
	require.Less(t, waiting, unreconciled, "the others come first in the next sweep")

	next := h.start(0, time.Minute)
	require.Eventually(t, func() bool {
		_ = next.Sweep(t.Context()) // billing knows none of these holds
		return h.count(`SELECT count(*) FROM meditations WHERE NOT settled AND tries = 0`) == 0
	}, waitFor, 10*time.Millisecond)
}

func TestASilentContentCostsRequestsTheirTime(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	silent, asked := testkit.CountedSilent(t)
	url, now := "http://"+silent, time.Now()
	p := h.start(0, time.Minute, func(ports *meditation.Ports) {
		ports.Catalogue = content.New(contentv1connect.NewCatalogueServiceClient(testkit.Dialer(t, Name).To("content", url)), func() time.Time { return now }, testkit.Logger(t))
	})
	uid := h.member(2)
	for range 5 {
		_, err := p.Create(t.Context(), uid, request())
		require.Error(t, err)
	}
	require.LessOrEqual(t, asked(), 1, "after a request without an answer, the next callers fail at once")
	require.Zero(t, h.count(`SELECT count(*) FROM meditations`))
	require.EqualValues(t, 2, h.billing.available(uid))
}
