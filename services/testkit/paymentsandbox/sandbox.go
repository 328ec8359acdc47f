// Package paymentsandbox is a stand-in for the payment provider: it implements the part of Stripe's API (version
// 2026-03-25.dahlia) that billing uses, stores what its callers create, shows the hosted checkout and the card page in a browser,
// and sends signed webhooks. It never charges a card, and stores nothing of a card but its last digits.
//
// It refuses what billing does not use: unknown paths with 404, unknown parameters with 400, another API version, another
// key. README.md lists what it speaks and where it differs from Stripe.
package paymentsandbox

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// APIVersion is the one that is spoken; a request that names another is refused.
const APIVersion = "2026-03-25.dahlia"

// Config of a Sandbox.
type Config struct {
	// Key is the API key that callers must show.
	Key string
	// URL is where browsers reach it, without a slash at the end; empty takes the host of each request.
	URL string
	// Webhook is where events are told; it can be set later by Notify.
	Webhook Webhook
	// File keeps the state over restarts; empty keeps it in memory alone.
	File string
	// Now is the clock; nil is the machine's.
	Now func() time.Time
	// Retry is the wait before a webhook is sent a second time; it doubles up to an hour. 0 is a second.
	Retry time.Duration
	// EndUnpaid ends a subscription after the last attempt at its renewal. Otherwise it stays past due until the API ends it, which is
	// how billing wants the account to be set.
	EndUnpaid bool
	// PortalPays is an account whose portal also gives a new card to what is past due, and tries it at once.
	PortalPays bool
	// SearchLag is how long a new customer is missing from searches. 0 is a minute, as Stripe says; negative is none.
	SearchLag time.Duration
	// Log hears of webhooks that were not taken; nil is silent.
	Log *slog.Logger
}

// Sandbox is the stand-in: an http.Handler for programs and browsers, with methods for tests.
type Sandbox struct {
	config Config
	routes http.Handler

	mu       sync.Mutex
	state    *state
	index    index
	agenda   agenda
	faults   []*Fault
	delivery Delivery
	webhook  Webhook
	sending  map[int64]bool

	store  *store
	wake   chan struct{}
	cancel context.CancelFunc
	ended  sync.WaitGroup
}

// settleEvery is how often what falls due by itself is looked for: expiries and renewals.
const settleEvery = time.Second

// New starts a sandbox; Close ends it.
func New(c Config) (*Sandbox, error) {
	if c.Key == "" {
		return nil, errors.New("paymentsandbox: an API key is needed")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Retry == 0 {
		c.Retry = time.Second
	}
	if c.SearchLag == 0 {
		c.SearchLag = time.Minute
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	loaded, err := load(c.File)
	if err != nil {
		return nil, err
	}
	s := &Sandbox{config: c, state: loaded, webhook: c.Webhook, sending: map[int64]bool{}, wake: make(chan struct{}, 1)}
	s.index = newIndex(loaded)
	s.replan()
	s.routes = s.handler()
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	s.store = newStore(c.File, s.snapshot)
	s.ended.Go(func() { s.store.run(ctx) })
	s.ended.Go(func() { s.send(ctx) })
	s.ended.Go(func() { s.settleAlways(ctx) })
	return s, nil
}

// Close ends the webhooks and writes the state down.
func (s *Sandbox) Close() error {
	s.cancel()
	s.ended.Wait()
	return s.store.close()
}

// ServeHTTP answers the API below /v1, pages below /c and /p, and tests below /sandbox.
func (s *Sandbox) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.routes.ServeHTTP(w, r) }

func (s *Sandbox) settleAlways(ctx context.Context) {
	ticker := time.NewTicker(settleEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.mu.Lock()
			s.settle()
			s.forgetOld()
			s.mu.Unlock()
		}
	}
}

// locked does work on the state, after what fell due by itself, and sees to it that the change is kept.
func (s *Sandbox) locked(work func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle()
	err := work()
	s.store.changed()
	return err
}

func (s *Sandbox) now() time.Time { return s.config.Now().UTC().Truncate(time.Second) }
