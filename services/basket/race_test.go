package basket

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
)

// atOnce runs n calls that start together.
func atOnce(n int, run func(i int)) {
	var running sync.WaitGroup
	gate := make(chan struct{})
	for i := range n {
		running.Go(func() {
			<-gate
			run(i)
		})
	}
	close(gate)
	running.Wait()
}

func TestOfAdditionsAtOnceNoneIsLostAndNoneCountsTwice(t *testing.T) {
	t.Parallel()
	h := start(t)
	p := h.member(t, uuid.NewString())
	var requests [20]string
	for i := range requests {
		requests[i] = uuid.NewString()
	}
	atOnce(2*len(requests), func(i int) { // each twice, as an impatient browser does
		outcome, err := p.another().request(requests[i%len(requests)], "socks", false)
		if word(outcome, err) != "ADDED" {
			t.Errorf("%s", word(outcome, err))
		}
	})
	p.look().shows("socks 20")
	require.EqualValues(t, 20, p.seen.GetVersion())
	require.Equal(t, 20, h.count(t, `SELECT count(*) FROM outbox`))
}

func TestOfMergesAtOnceOneBringsTheGuestsThings(t *testing.T) {
	t.Parallel()
	h := start(t)
	m, g := two(t, h, []string{"socks"}, []string{"socks", "tee/S"})
	var merged atomic.Int64
	atOnce(10, func(int) {
		if m.another().merge(g.guest) == "true" {
			merged.Add(1)
		}
	})
	require.EqualValues(t, 1, merged.Load())
	m.look().shows("socks 2", "tee/S 1")
}

func TestAGuestsBasketThatManyMembersMergeAtOnceComesToOne(t *testing.T) {
	t.Parallel()
	h := start(t)
	g := h.guest(t)
	g.add("tee/S")
	var merged atomic.Int64
	atOnce(10, func(int) {
		if h.member(t, uuid.NewString()).merge(g.guest) == "true" {
			merged.Add(1)
		}
	})
	require.EqualValues(t, 1, merged.Load())
	require.Equal(t, 1, h.count(t, `SELECT count(*) FROM lines`))
}

func TestOfTwoMembershipsAtOnceOneIsInTheBasket(t *testing.T) {
	t.Parallel()
	h := start(t)
	p := h.member(t, uuid.NewString())
	var added atomic.Int64
	things := []string{"core/month", "premium/month", "generate/year", "core/year"}
	atOnce(8, func(i int) {
		product, size := thing(things[i%len(things)])
		res, err := p.client.AddItem(p.ctx, &basketv1.AddItemRequest{RequestId: uuid.NewString(), ProductId: product, Size: size})
		if err != nil {
			t.Error(err)
		}
		if res.GetOutcome() == basketv1.Outcome_OUTCOME_ADDED {
			added.Add(1)
		}
	})
	require.EqualValues(t, 1, added.Load())
	require.Len(t, p.look().seen.GetLines(), 1)
}

func TestOfChangesOfOneVersionAtOnceOneIsMade(t *testing.T) {
	t.Parallel()
	h := start(t)
	p := h.member(t, uuid.NewString())
	p.add("socks")
	var made atomic.Int64
	atOnce(10, func(i int) {
		if p.another().set("socks", int32(i+2)) == "" {
			made.Add(1)
		}
	})
	require.EqualValues(t, 1, made.Load())
	require.EqualValues(t, 2, p.look().seen.GetVersion())
}
