package upstream

import (
	"context"
	"sync"
	"time"

	"connectrpc.com/connect"

	"serein.app/services/platform/contentage"
)

// Age is how old content says that its answers are to the calls of a context: that of the oldest.
type Age struct {
	mu    sync.Mutex
	age   time.Duration
	known bool
}

type ageKey struct{}

// WithAge hears how old the answers are that content gives to calls with the context.
func WithAge(ctx context.Context) (context.Context, *Age) {
	a := &Age{}
	return context.WithValue(ctx, ageKey{}, a), a
}

// Get gives the age; known is false where content did not say one.
func (a *Age) Get() (age time.Duration, known bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.age, a.known
}

// SetContentAge records the age in the Age of the context, if it has one.
func SetContentAge(ctx context.Context, age time.Duration) {
	a, ok := ctx.Value(ageKey{}).(*Age)
	if !ok {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.age, a.known = max(a.age, age), true
}

// recordContentAge records the age that an answer of content names, in the Age of the context.
func recordContentAge(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
		res, err := next(ctx, req)
		if err != nil {
			return res, err
		}
		if age, known := contentage.From(res.Header()); known {
			SetContentAge(ctx, age)
		}
		return res, nil
	}
}
