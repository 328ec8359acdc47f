// Package stack is the whole product on one machine: PostgreSQL, NATS, Redis, an SMTP inbox,
// the services and the gateway, each on its own loopback port with real calls between them.
// A part whose address is given from outside is not started.
//
// It owns wiring only; what a part does is the part's own business.
package stack

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"serein.app/deploy/local/balancer"
	"serein.app/services/platform/config"
	"serein.app/services/platform/mtls"
)

// Options of a stack.
type Options struct {
	// DataDir holds everything that lasts; deleting it removes it all.
	DataDir string
	// Root is the repository's folder: binary parts and the built app are found below it.
	Root string
	// Port of the gateway and InboxPort of the inbox; 0 picks a free one.
	Port, InboxPort int
	// DatabaseURL (as administrator), NATSURL, RedisURL and SMTPURL replace embedded parts.
	DatabaseURL, NATSURL, RedisURL, SMTPURL string
	// Binaries is a folder of service binaries; where it is set, every service is a process of
	// its own, which can be killed. Otherwise they run in this one.
	Binaries string
	// Launch, where it is set, makes the command that runs a program in place of its binary in Binaries: for tests, in the root file
	// system of its image.
	Launch func(ctx context.Context, program string, environ map[string]string, args ...string) (*exec.Cmd, error)
	// Replicas is how many processes of each program run, behind a balancer at each address; less than 2: one, without a balancer.
	Replicas int
	// Tell hears what the stack is doing, in short sentences.
	Tell func(string)
	// Environ is added to the environment of every service, for tests.
	Environ map[string]string
	// EnvironOf, where it is set, is asked at each start of a service for what is added to its environment alone, for tests.
	EnvironOf func(service string) map[string]string
	// Certificates are a service's for its calls with others, which go by mutual TLS then; nil for none.
	Certificates func(service string) mtls.Config
	// HTTPS encrypts what browsers reach, as in production, by a certificate that is made at each start: WebKit keeps no secure cookie of a
	// plain address, loopback or not. Programs trust only its authority. The stand-in for the payment provider runs inside this process and
	// does not trust it, so its webhooks fail.
	HTTPS bool
}

// Stack is a running product.
type Stack struct {
	options  Options
	settings *settings
	log      *slog.Logger
	started  time.Time
	ctx      context.Context //nolint:containedctx // the life of the parts, ended by Stop
	cancel   context.CancelFunc

	// replicas are known to the balancers by the names of their parts.
	replicas map[string]*balancer.Replica
	// authority is nil without HTTPS.
	authority *x509.CertPool

	mu    sync.Mutex
	parts []*part
}

// part is one piece that can be stopped and started by itself.
type part struct {
	name, address string
	// process: it is one of a program.
	process bool
	// start makes it run; it returns when the part answers. The running part ends with its
	// context, and done is closed then.
	start func(ctx context.Context) (running, error)

	mu   sync.Mutex
	live running
}

// running is a part that runs; its zero value never ran.
type running struct {
	// cancel asks it to end.
	cancel context.CancelFunc
	// done is closed when the part has ended.
	done <-chan struct{}
	// kill ends the part as a crash would; nil if that is no different from a stop.
	kill func()
	// pid of a part that runs as a separate process; otherwise 0.
	pid int
	// err gives why it ended; valid after done.
	err func() error
}

// stopTime bounds the stop of one part. Services end their work within 15 s, or later on a machine that stalls.
const stopTime = time.Minute

// Start runs the whole product and returns when every part is ready.
func Start(ctx context.Context, o Options) (_ *Stack, err error) {
	if o.Tell == nil {
		o.Tell = func(string) {}
	}
	if err := os.MkdirAll(filepath.Join(o.DataDir, "logs"), 0o700); err != nil {
		return nil, err
	}
	settings, err := openSettings(o.DataDir)
	if err != nil {
		return nil, err
	}
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s := &Stack{
		options: o, settings: settings, started: time.Now(), ctx: life, cancel: cancel,
		log: slog.New(slog.DiscardHandler), replicas: map[string]*balancer.Replica{},
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Stop())
		}
	}()
	if err := s.assign(); err != nil {
		return nil, err
	}
	encryption, err := s.encryption()
	if err = errors.Join(err, s.startAll(ctx, encryption)); err != nil {
		return nil, err
	}
	if err := s.startInfrastructure(ctx); err != nil {
		return nil, err
	}
	if err := s.writeClients(); err != nil {
		return nil, err
	}
	o.Tell("Preparing the databases")
	if err := s.migrate(ctx); err != nil {
		return nil, err
	}
	o.Tell("Starting the services")
	if s.replicated() {
		balancers, err := s.balancers()
		if err = errors.Join(err, s.startAll(ctx, balancers)); err != nil {
			return nil, err
		}
	}
	if err := s.startAll(ctx, s.programs()); err != nil {
		return nil, err
	}
	return s, s.settings.save()
}

// DatabaseURL is a service's database, for one who looks in as its owner.
func (s *Stack) DatabaseURL(service string) (string, error) { return s.ownerURL(service) }

// ServiceKey is the key a service proves itself with, for tools that stand in for it.
func (s *Stack) ServiceKey(service string) config.Secret {
	return config.Secret(s.settings.key("service." + service))
}

// URL is the product's address in a browser.
func (s *Stack) URL() string { return s.browsers("gateway") }

// Host is the one that the gateway answers for.
func (s *Stack) Host() string { return s.URL()[strings.LastIndex(s.URL(), "/")+1:] }

// DeliveryURL is where readers with a read token get what is published.
func (s *Stack) DeliveryURL() string { return "http://" + s.loopback("delivery") }

// DeliveryToken is the one read token.
func (s *Stack) DeliveryToken() string { return s.settings.password("content.delivery-token") }

// InboxURL is the address of the page that shows the mails.
func (s *Stack) InboxURL() string {
	return fmt.Sprintf("http://localhost:%d", s.settings.Ports["inbox"])
}

// StatusURL is the address of the page that shows the parts.
func (s *Stack) StatusURL() string {
	return fmt.Sprintf("http://localhost:%d", s.settings.Ports["status"])
}

// ServiceURL is the address of a service's internal listener: RPC, health, readiness, metrics.
func (s *Stack) ServiceURL(name string) string { return s.partURL(name) }

// partURL is the address of the internal listener of a process, or of its program's balancer.
func (s *Stack) partURL(name string) string {
	scheme := "http://"
	if s.options.Certificates != nil {
		scheme = "https://"
	}
	return scheme + s.loopback(internal(name))
}

// StartPart runs a part that was stopped, and waits until it answers.
func (s *Stack) StartPart(ctx context.Context, name string) error {
	p, err := s.find(name)
	if err != nil {
		return err
	}
	return s.launch(ctx, p)
}

// StopPart ends a part in order and waits for it.
func (s *Stack) StopPart(name string) error {
	p, err := s.find(name)
	if err != nil {
		return err
	}
	return p.now().stop(name)
}

// KillPart ends a part as a crash would, where the part is a process; otherwise it stops it.
func (s *Stack) KillPart(name string) error {
	p, err := s.find(name)
	if err != nil {
		return err
	}
	live := p.now()
	if live.kill == nil {
		return live.stop(name)
	}
	live.kill()
	<-live.done
	live.cancel()
	return nil
}

// Up says whether a part runs.
func (s *Stack) Up(name string) bool {
	p, err := s.find(name)
	return err == nil && p.up()
}

// Pid is the process id of a part that runs as a separate process. It is an error if the part runs inside this process or is down.
func (s *Stack) Pid(name string) (int, error) {
	p, err := s.find(name)
	if err != nil {
		return 0, err
	}
	if pid := p.now().pid; pid != 0 && p.up() {
		return pid, nil
	}
	return 0, fmt.Errorf("%s does not run as a separate process", name)
}

// Failed gives a channel that receives the error of the first part that ends by itself.
func (s *Stack) Failed() <-chan error {
	failed := make(chan error, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.parts {
		live := p.now()
		go func() {
			select {
			case <-live.done:
			case <-s.ctx.Done():
				return
			}
			if s.ctx.Err() == nil {
				select {
				case failed <- fmt.Errorf("%s ended: %w", p.name, live.err()):
				default:
				}
			}
		}()
	}
	return failed
}

// Stop ends everything, the last part started first.
func (s *Stack) Stop() error {
	s.mu.Lock()
	parts := s.parts
	s.parts = nil
	s.mu.Unlock()
	var faults []error
	if s.replicated() { // so many drains would take minutes one after the other
		for _, p := range parts {
			if live := p.now(); p.process && live.cancel != nil {
				live.cancel()
			}
		}
	}
	for i := len(parts) - 1; i >= 0; i-- {
		faults = append(faults, parts[i].now().stop(parts[i].name))
	}
	s.cancel()
	return errors.Join(faults...)
}

func (s *Stack) find(name string) (*part, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.parts {
		if p.name == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("there is no part %q", name)
}

// startAll starts parts side by side and keeps them in the order given.
func (s *Stack) startAll(ctx context.Context, parts []*part) error {
	faults := make([]error, len(parts))
	var all sync.WaitGroup
	for i, p := range parts {
		all.Go(func() {
			if err := s.launch(ctx, p); err != nil {
				faults[i] = fmt.Errorf("%s: %w", p.name, err)
			}
		})
	}
	all.Wait()
	s.mu.Lock()
	s.parts = append(s.parts, parts...)
	s.mu.Unlock()
	return errors.Join(faults...)
}

func (s *Stack) launch(ctx context.Context, p *part) error {
	life, cancel := context.WithCancel(s.ctx)
	stopEarly := context.AfterFunc(ctx, cancel)
	live, err := p.start(life)
	if err != nil {
		cancel()
		return err
	}
	stopEarly()
	live.cancel = cancel
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live = live
	return nil
}

func (p *part) now() running {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.live
}

func (r running) stop(name string) error {
	if r.cancel == nil {
		return nil // it never ran
	}
	r.cancel()
	select {
	case <-r.done:
		return r.err()
	case <-time.After(stopTime):
		if r.kill != nil {
			r.kill()
		}
		return fmt.Errorf("%s did not stop in time", name)
	}
}

// loop turns a function that runs until its context ends into a part that runs.
func loop(ctx context.Context, run func(context.Context) error) running {
	done := make(chan struct{})
	var result error
	go func() {
		defer close(done)
		result = run(ctx)
	}()
	return running{done: done, err: func() error { return result }}
}
