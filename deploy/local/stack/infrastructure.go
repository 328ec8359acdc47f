package stack

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"serein.app/deploy/local/broker"
	"serein.app/deploy/local/cache"
	"serein.app/deploy/local/inbox"
	"serein.app/services/testkit/embeddedpg"
)

// assign gives every part its port: the given ones as they are, the others free ones.
func (s *Stack) assign() error {
	for _, fixed := range []struct {
		name string
		port int
	}{{"gateway", s.options.Port}, {"inbox", s.options.InboxPort}} {
		if fixed.port == 0 {
			continue
		}
		if !free(fixed.port) {
			return fmt.Errorf("port %d is in use by another program; choose one with %s=…",
				fixed.port, map[string]string{"gateway": "PORT", "inbox": "INBOX_PORT"}[fixed.name])
		}
		s.settings.Ports[fixed.name], s.settings.taken[fixed.port] = fixed.port, true
	}
	// Browsers reach the gateway and identity, readers the delivery API; under these names are their public ports.
	names := []string{"gateway", "identity", "delivery", "inbox", "payments", "status", "smtp", "postgres", "nats", "redis", companionPart}
	for _, p := range programs {
		names = append(names, internal(p.name))
	}
	if s.options.HTTPS {
		for _, name := range secured {
			names = append(names, https(name))
		}
	}
	if s.replicated() {
		for _, i := range s.instances() {
			names = append(names, internal(i.part), public(i.part))
		}
	}
	for _, name := range names {
		if s.settings.taken[s.settings.Ports[name]] {
			continue
		}
		if _, err := s.settings.port(name); err != nil {
			return err
		}
	}
	return s.settings.save()
}

// internal is the name of the port that a program's internal listener has.
func internal(program string) string { return program + "-internal" }

func (s *Stack) loopback(name string) string {
	return fmt.Sprintf("127.0.0.1:%d", s.settings.Ports[name])
}

func (s *Stack) data(name string) string { return filepath.Join(s.options.DataDir, name) }

// startInfrastructure starts what the services stand on, all of it side by side.
func (s *Stack) startInfrastructure(ctx context.Context) error {
	parts := []*part{
		{name: "inbox", address: s.InboxURL(), start: s.startInbox},
		{name: "payments", address: s.PaymentsURL(), start: s.startPayments},
		{name: "status", address: s.StatusURL(), start: s.startStatus},
	}
	if s.options.DatabaseURL == "" {
		parts = append(parts, &part{name: "postgres", address: s.loopback("postgres"), start: s.startPostgres})
	}
	if s.options.NATSURL == "" {
		parts = append(parts, &part{name: "nats", address: s.loopback("nats"), start: s.startBroker})
	}
	if s.options.RedisURL == "" {
		parts = append(parts, &part{name: "redis", address: s.loopback("redis"), start: s.startCache})
	}
	s.options.Tell("Starting PostgreSQL, the broker and the inbox")
	return s.startAll(ctx, parts)
}

func (s *Stack) startPostgres(ctx context.Context) (running, error) {
	log, err := os.OpenFile(s.data("logs/postgres.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return running{}, err
	}
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	server, err := embeddedpg.Start(ctx, embeddedpg.Config{
		Binaries: s.nodeModule("@embedded-postgres", runtime.GOOS+"-"+arch, "native"),
		Data:     s.data("postgres"), Port: s.settings.Ports["postgres"],
		Password: s.settings.password("postgres"), Log: log,
	})
	if err != nil {
		return running{}, errors.Join(err, log.Close())
	}
	live := loop(ctx, func(ctx context.Context) error {
		defer func() { _ = log.Close() }()
		select {
		case <-ctx.Done():
			return server.Stop()
		case <-server.Done():
			return errors.New("PostgreSQL ended; see logs/postgres.log")
		}
	})
	live.kill, live.pid = server.Kill, server.Pid()
	return live, nil
}

func (s *Stack) startBroker(ctx context.Context) (running, error) {
	access, err := s.ownAccess()
	if err != nil {
		return running{}, err
	}
	nats, err := broker.Start(broker.Config{Port: s.settings.Ports["nats"], Dir: s.data("nats"), Services: len(programs), Access: access})
	if err != nil {
		return running{}, err
	}
	return loop(ctx, func(ctx context.Context) error { return broker.Run(ctx, nats) }), nil
}

func (s *Stack) startCache(ctx context.Context) (running, error) {
	redis, err := cache.Start(s.loopback("redis"), s.options.DataDir, s.settings.password("redis"))
	if err != nil {
		return running{}, err
	}
	return loop(ctx, redis.Run), nil
}

func (s *Stack) startInbox(ctx context.Context) (running, error) {
	box, err := inbox.Open(s.data("inbox"))
	if err != nil {
		return running{}, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.loopback("smtp"))
	if err != nil {
		return running{}, err
	}
	mail := inbox.SMTP(box, s.loopback("smtp"))
	page, err := s.servePage(ctx, "inbox", inbox.Handler(box, s.letters))
	if err != nil {
		return running{}, errors.Join(err, listener.Close())
	}
	go func() { _ = mail.Serve(listener) }()
	return loop(ctx, func(ctx context.Context) error {
		<-ctx.Done()
		<-page.done
		return errors.Join(mail.Close(), page.err())
	}), nil
}

// letters are the samples of the mail service of this stack.
func (s *Stack) letters(ctx context.Context) ([]inbox.Letter, error) {
	client, err := s.listenerClient("mail")
	if err != nil {
		return nil, err
	}
	defer client.CloseIdleConnections()
	return inbox.Samples(client, s.ServiceURL("mail"))(ctx)
}

// servePage serves one of the stack's own small pages.
func (s *Stack) servePage(ctx context.Context, name string, handler http.Handler) (running, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.loopback(name))
	if err != nil {
		return running{}, err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	return loop(ctx, func(ctx context.Context) error {
		<-ctx.Done()
		return server.Close()
	}), nil
}

// nodeModule is the path of a file in a package of deploy/local/package.json.
func (s *Stack) nodeModule(path ...string) string {
	return filepath.Join(append([]string{s.options.Root, "deploy", "local", "node_modules"}, path...)...)
}
