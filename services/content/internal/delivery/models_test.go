package delivery_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/delivery"
	"serein.app/services/content/internal/delivery/query"
)

// slowModels is a store whose model takes until all requests of a test have come.
type slowModels struct {
	delivery.Store

	all   chan struct{}
	asked atomic.Int32
}

func (s *slowModels) Model(ctx context.Context, environment string) (query.Model, error) {
	s.asked.Add(1)
	<-s.all
	return s.Store.Model(ctx, environment)
}

// A model is read before a request has its turn: as many as come would otherwise queue for the database without end each time one is
// too old.
func TestHoweverManyComeAtOnceTheModelIsReadOnce(t *testing.T) {
	t.Parallel()
	const many = 20
	slow, came := &slowModels{all: make(chan struct{})}, atomic.Int32{}
	a := world(t, func(c *delivery.Config) {
		slow.Store, c.Store = c.Store, slow
		c.NewID = func() string { // each request gets one when it comes
			if came.Add(1) == many {
				close(slow.all)
			}
			return uuid.NewString()
		}
	})
	statuses := make([]int, many)
	var wait sync.WaitGroup
	for i := range statuses {
		wait.Go(func() { statuses[i] = a.ask(http.MethodGet, base+"locales", "").status })
	}
	wait.Wait()
	for _, status := range statuses {
		require.Equal(t, http.StatusOK, status)
	}
	require.EqualValues(t, 1, slow.asked.Load())
}
