// Package bus carries domain events on NATS JetStream. Streams and consumers are declared
// here, in code, one stream a service.
//
// JetStream is transport: PostgreSQL is the truth (packages outbox and inbox). So a lost
// broker delays events and a lost stream is repaired by publishing the outbox again.
package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/metric"

	"serein.app/services/platform/deadline"
)

// SubjectHeader of a dead letter says where the event was published.
const SubjectHeader = "Serein-Subject"

const (
	// duplicates is how long the broker recognises an event id: longer than any relay's retry.
	duplicates = 10 * time.Minute
)

// askTime bounds one request to the broker.
var askTime = deadline.Of(5 * time.Second)

// Bus is a connection to the broker. It connects for ever: a service starts and works while
// the broker is away.
type Bus struct {
	conn    *nats.Conn
	js      jetstream.JetStream
	service string
	cfg     Config
	log     *slog.Logger
	pace    pace
	meters  metric.MeterProvider
	metrics metrics

	mu    sync.Mutex
	watch streamWatch
	// declaring are the services whose consumers this connection declares.
	declaring map[string]bool
}

// Option is what a connection may have beside its address.
type Option func(*Bus)

// With uses the key and the limits of a configuration instead of none and the usual.
func With(cfg Config) Option { return func(b *Bus) { b.cfg = cfg.orDefaults() } }

// Connect returns at once, connected or not. Its errors do not repeat the address, which may hold
// a password.
func Connect(url, service string, log *slog.Logger, options ...Option) (*Bus, error) {
	b := &Bus{service: service, cfg: Config{}.orDefaults(), log: log, pace: usual(), declaring: map[string]bool{}}
	for _, option := range options {
		option(b)
	}
	var err error
	if b.metrics, err = newMetrics(b.meters); err != nil {
		return nil, err
	}
	proof, err := b.cfg.proof()
	if err != nil {
		return nil, err
	}
	if b.conn, err = nats.Connect(url, append(proof, b.connection()...)...); err != nil {
		return nil, errors.New("NATS_URL: want an address such as nats://nats:4222")
	}
	if b.js, err = jetstream.New(b.conn); err != nil {
		b.conn.Close()
		return nil, err
	}
	return b, nil
}

// A broker whose machine or network is gone, with no word of it, is noticed within a minute: the ping
// after the last that may go unanswered finds it. The usual two minutes a ping would be six.
const (
	pingEvery = 20 * time.Second
	pingsOpen = 2
)

func (b *Bus) connection() []nats.Option {
	return []nats.Option{
		nats.PingInterval(b.pace.ping), nats.MaxPingsOutstanding(pingsOpen),
		nats.Name("serein-" + b.service), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.IgnoreAuthErrorAbort(),
		nats.ReconnectWait(250 * time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, 250*time.Millisecond),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				b.log.Warn("broker lost", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { b.log.Info("broker is back") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			level := slog.LevelDebug // other failures are seen where they matter: by the relay and by each consumer
			if errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrPermissionViolation) {
				level = slog.LevelError
			}
			b.log.Log(context.Background(), level, "broker refuses", "error", err)
		}),
	}
}

// Close ends the connection.
func (b *Bus) Close() { b.conn.Close() }

// Connected says whether the broker can be asked now.
func (b *Bus) Connected() bool { return b.conn.IsConnected() }

// Reconnects counts how often the broker was lost and found again. What it had stored may be
// gone since.
func (b *Bus) Reconnects() uint64 { return b.conn.Stats().Reconnects }

// EnsureStream declares the stream of a service, as only that service does, and from then on its
// consumers, as they ask for it. It says when the stream was made, by the broker's clock: what was
// published before is not in it.
func (b *Bus) EnsureStream(ctx context.Context, service string) (time.Time, error) {
	born, err := b.ensure(ctx, b.cfg.stream(StreamName(service), eventsOf(service)))
	if err != nil {
		return time.Time{}, err
	}
	return born, b.answerDeclarations(service)
}

// EnsureDeadLetters declares the stream of the service's own dead letters.
func (b *Bus) EnsureDeadLetters(ctx context.Context) error {
	_, err := b.ensure(ctx, b.cfg.deadLetters(b.service))
	return err
}

func (b *Bus) ensure(ctx context.Context, declared jetstream.StreamConfig) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	stream, err := b.js.CreateOrUpdateStream(ctx, declared)
	if err != nil {
		return time.Time{}, fmt.Errorf("stream %s: %w", declared.Name, err)
	}
	return stream.CachedInfo().Created, nil
}
