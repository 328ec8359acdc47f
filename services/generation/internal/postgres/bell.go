package postgres

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/generation/internal/meditation"
)

// deafPause is how often everything rings while the notifications cannot be heard.
const deafPause = time.Second

// Bell hears what any process committed (LISTEN) and rings those who wait for it here.
type Bell struct {
	cfg *pgx.ConnConfig
	log *slog.Logger

	mu     sync.Mutex
	topics map[string]map[chan struct{}]struct{}
}

var _ meditation.Bell = (*Bell)(nil)

// NewBell makes a Bell with a connection of its own, so that it never waits for the pool.
func NewBell(cfg *pgx.ConnConfig, log *slog.Logger) *Bell {
	cfg = cfg.Copy()
	cfg.Tracer = nil
	return &Bell{cfg: cfg, log: log, topics: map[string]map[chan struct{}]struct{}{}}
}

// Run listens until ctx ends. While the database cannot be heard it rings everything once a
// second, so that nobody waits for a ring that was lost.
func (b *Bell) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := b.hear(ctx); err != nil && ctx.Err() == nil {
			b.log.WarnContext(ctx, "notifications are not heard", "error", err)
		}
		pause := time.NewTimer(deafPause)
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
		b.ringAll()
	}
	return nil
}

func (b *Bell) hear(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, b.cfg)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "LISTEN generation"); err != nil {
		return err
	}
	// What was committed before the connection stood was not heard.
	b.ringAll()
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		b.ring(n.Payload)
	}
}

// Listen rings on the channel until stop is called.
func (b *Bell) Listen(topic string) (rings <-chan struct{}, stop func()) {
	ch := make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.topics[topic] == nil {
		b.topics[topic] = map[chan struct{}]struct{}{}
	}
	b.topics[topic][ch] = struct{}{}
	return ch, func() { b.leave(topic, ch) }
}

func (b *Bell) leave(topic string, ch chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.topics[topic], ch)
	if len(b.topics[topic]) == 0 {
		delete(b.topics, topic)
	}
}

func (b *Bell) ring(topic string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ch := range b.topics[topic] {
		pull(ch)
	}
}

func (b *Bell) ringAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, listeners := range b.topics {
		for ch := range listeners {
			pull(ch)
		}
	}
}

// pull rings; a ring that was not fetched yet is enough.
func pull(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}
