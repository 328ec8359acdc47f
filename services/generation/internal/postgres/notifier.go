package postgres

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/postgres"
)

// pollInterval is how often every subscriber is notified while the database cannot be listened to.
const pollInterval = time.Second

// Notifier passes on what any process committed (LISTEN) to those who subscribed to it here.
type Notifier struct {
	like *pgxpool.Pool
	log  *slog.Logger

	mu     sync.Mutex
	topics map[string]map[chan struct{}]struct{}
}

var _ meditation.Notifier = (*Notifier)(nil)

// NewNotifier makes a Notifier. It opens a separate connection with the pool's settings, so that it never waits
// for a connection of the pool.
func NewNotifier(like *pgxpool.Pool, log *slog.Logger) *Notifier {
	return &Notifier{like: like, log: log, topics: map[string]map[chan struct{}]struct{}{}}
}

// Run listens until ctx ends. While it has no connection it notifies everybody once a second, so
// that nobody waits for a notification that was lost.
func (n *Notifier) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := n.listen(ctx); err != nil && ctx.Err() == nil {
			n.log.WarnContext(ctx, "notifications cannot be heard", "error", err)
		}
		pause := time.NewTimer(pollInterval)
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
		n.notifyAll()
	}
	return nil
}

func (n *Notifier) listen(ctx context.Context) error {
	conn, err := postgres.Connect(ctx, n.like)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "LISTEN generation"); err != nil {
		return err
	}
	// Nothing told us of what was committed before we listened.
	n.notifyAll()
	for {
		notification, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		n.notify(notification.Payload)
	}
}

// Subscribe notifies on the channel until unsubscribe is called.
func (n *Notifier) Subscribe(topic string) (notified <-chan struct{}, unsubscribe func()) {
	subscriber := make(chan struct{}, 1)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.topics[topic] == nil {
		n.topics[topic] = map[chan struct{}]struct{}{}
	}
	n.topics[topic][subscriber] = struct{}{}
	return subscriber, func() { n.unsubscribe(topic, subscriber) }
}

func (n *Notifier) unsubscribe(topic string, subscriber chan struct{}) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.topics[topic], subscriber)
	if len(n.topics[topic]) == 0 {
		delete(n.topics, topic)
	}
}

func (n *Notifier) notify(topic string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for subscriber := range n.topics[topic] {
		signal(subscriber)
	}
}

func (n *Notifier) notifyAll() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, subscribers := range n.topics {
		for subscriber := range subscribers {
			signal(subscriber)
		}
	}
}

// signal leaves a notification in the channel, which has room for one: a subscriber that has not
// taken the last one yet will read the store anyway.
func signal(subscriber chan<- struct{}) {
	select {
	case subscriber <- struct{}{}:
	default:
	}
}
