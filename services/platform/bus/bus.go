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
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// What every stream keeps.
const (
	// maxAge of an event in a stream. The outbox keeps rows for as long.
	maxAge = 30 * 24 * time.Hour
	// StreamBytes of one stream on disk; full means publishing waits, never that events are dropped.
	StreamBytes = 1 << 30
	// duplicates is how long the broker recognises an event id: longer than any relay's retry.
	duplicates = 10 * time.Minute
	// askTime bounds one request to the broker.
	askTime = 5 * time.Second
)

// DeadStream keeps the dead letters: events that a consumer gave up, on serein.dead.<consumer>.
// SubjectHeader of a dead letter says where the event was published.
const (
	DeadStream    = "serein_dead"
	SubjectHeader = "Serein-Subject"
)

// Bus is a connection to the broker. It connects for ever: a service starts and works while
// the broker is away.
type Bus struct {
	conn *nats.Conn
	js   jetstream.JetStream
	log  *slog.Logger
	pace pace
}

// Connect returns at once, connected or not.
func Connect(url, service string, log *slog.Logger) (*Bus, error) {
	conn, err := nats.Connect(url,
		nats.Name("serein-"+service), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.ReconnectWait(250*time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, 250*time.Millisecond),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("broker lost", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { log.Info("broker is back") }),
		// Failures are seen where they matter: by the relay and by each consumer.
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Debug("broker", "error", err) }),
	)
	if err != nil {
		return nil, errors.New("NATS_URL is not a valid address") // its error would repeat the address, with the password in it
	}
	js, err := jetstream.New(conn)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &Bus{conn: conn, js: js, log: log, pace: usual()}, nil
}

// Close ends the connection.
func (b *Bus) Close() { b.conn.Close() }

// StreamName is the stream of a service.
func StreamName(service string) string { return "serein_" + service }

// Reconnects counts how often the broker was lost and found again. What it had stored may be
// gone since.
func (b *Bus) Reconnects() uint64 { return b.conn.Stats().Reconnects }

// EnsureStream declares the stream of a service. It says when the stream was made, by the
// broker's clock: what was published before is not in it.
func (b *Bus) EnsureStream(ctx context.Context, service string) (time.Time, error) {
	return b.ensure(ctx, StreamName(service), "serein."+service+".>")
}

func (b *Bus) ensure(ctx context.Context, name, subjects string) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	stream, err := b.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: name, Subjects: []string{subjects},
		Storage: jetstream.FileStorage, Discard: jetstream.DiscardNew,
		MaxAge: maxAge, MaxBytes: StreamBytes, Duplicates: duplicates,
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("stream %s: %w", name, err)
	}
	return stream.CachedInfo().Created, nil
}

// Message is one event on its way out.
type Message struct {
	// ID is the event's id: the broker drops what it has seen within its window.
	ID, Subject string
	Data        []byte
}

// Publish sends the messages in order and waits until the broker has stored them all. It
// gives the number stored before the first failure.
func (b *Bus) Publish(ctx context.Context, stream string, messages []Message) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*askTime)
	defer cancel()
	if !b.conn.IsConnected() {
		return 0, errors.New("the broker is away")
	}
	futures := make([]jetstream.PubAckFuture, 0, len(messages))
	var sendErr error
	for _, m := range messages {
		future, err := b.js.PublishMsgAsync(&nats.Msg{Subject: m.Subject, Data: m.Data},
			jetstream.WithMsgID(m.ID), jetstream.WithExpectStream(stream))
		if err != nil {
			sendErr = err
			break
		}
		futures = append(futures, future)
	}
	for stored, future := range futures {
		select {
		case <-future.Ok():
		case err := <-future.Err():
			return stored, err
		case <-ctx.Done():
			return stored, ctx.Err()
		}
	}
	return len(futures), sendErr
}
