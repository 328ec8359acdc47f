package stack

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"google.golang.org/protobuf/proto"

	"serein.app/gateway"
	"serein.app/services/basket"
	"serein.app/services/billing"
	"serein.app/services/content"
	"serein.app/services/generation"
	"serein.app/services/identity"
	"serein.app/services/mail"
	"serein.app/services/platform/retention"
	"serein.app/services/platform/service"
)

// program is a service as the stack runs it: from the environment, as in production.
type program struct {
	name string
	// do serves, or runs the command that args name.
	do func(ctx context.Context, environ map[string]string, args []string) error
	// migrate is nil for a program without a database.
	migrate func(ctx context.Context, ownerURL string) error
	// retention says which rows the program removes from its tables.
	retention []retention.Policy
	// consumes are the events of other services that the broker lets the program read.
	consumes []proto.Message
	// follows are those of whose events it hears at once.
	follows []string
	// environ is what it needs beside that which every program gets; nil for nothing.
	environ func(*Stack) map[string]string
	// roles have processes of their own where there are replicas; nil: there is one.
	roles []role
}

// programs is the one list of the services and the gateway: ports, keys, databases, addresses
// and the broker's store follow from it, and so does what tests and measurements build.
var programs = []program{
	of(identity.Program(), (*Stack).identityEnviron),
	of(billing.Program(), (*Stack).billingEnviron),
	of(basket.Program(), nil),
	of(content.Program(), (*Stack).contentEnviron),
	of(
		generation.Program(), (*Stack).generationEnviron,
		role{name: generation.Name, environ: map[string]string{"GENERATION_ROLE": string(generation.Requests)}},
		role{name: "narration", environ: map[string]string{"GENERATION_ROLE": string(generation.Narration)}, silent: true},
	),
	of(mail.Program(), (*Stack).mailEnviron),
	of(gateway.Program(), (*Stack).gatewayEnviron),
}

// Programs are the names of the services and the gateway.
func Programs() []string { return names(func(program) bool { return true }) }

// Services are the names of those that answer RPCs of their own: all but the gateway.
func Services() []string { return names(func(p program) bool { return p.name != gateway.Name }) }

// Databases are the names of the services that have one, and so publish and consume events.
func Databases() []string { return names(func(p program) bool { return p.migrate != nil }) }

func names(which func(program) bool) []string {
	var found []string
	for _, p := range programs {
		if which(p) {
			found = append(found, p.name)
		}
	}
	return found
}

// Schema is a service's database: how it is made and what is removed from it.
type Schema struct {
	Service string
	Migrate func(ctx context.Context, ownerURL string) error
	// Retention of the service's own tables, without the platform's.
	Retention []retention.Policy
}

// Schemas are those of the services that have a database.
func Schemas() []Schema {
	var found []Schema
	for _, p := range programs {
		if p.migrate != nil {
			found = append(found, Schema{p.name, p.migrate, p.retention})
		}
	}
	return found
}

func of[C any](p service.Program[C], environ func(*Stack) map[string]string, roles ...role) program {
	return program{p.Name, p.Do, p.Migrate, p.Retention, p.Consumes, p.Follows, environ, roles}
}

func (s *Stack) programs() (parts []*part) {
	for _, i := range s.instances() {
		parts = append(parts, &part{name: i.part, address: s.partURL(i.part), process: true, start: func(ctx context.Context) (running, error) {
			return s.startInstance(ctx, i)
		}})
	}
	return parts
}

// startInstance runs a process of a program until it is ready.
func (s *Stack) startInstance(ctx context.Context, i instance) (running, error) {
	environ, err := s.instanceEnviron(i)
	if err != nil {
		return running{}, err
	}
	live, err := s.run(ctx, i, environ)
	if err != nil {
		return running{}, err
	}
	if err := s.awaitReady(ctx, i, live); err != nil {
		return live, err
	}
	if replica := s.replicas[i.part]; replica != nil {
		replica.Admit()
	}
	return live, nil
}

func (s *Stack) run(ctx context.Context, i instance, environ map[string]string) (running, error) {
	if s.options.Binaries != "" || s.options.Launch != nil {
		return s.spawn(ctx, i, environ)
	}
	return loop(ctx, func(ctx context.Context) error { return i.do(ctx, environ, nil) }), nil
}

// spawn runs a service's own binary, as production does. One that does not end well when it is asked to is a fault.
func (s *Stack) spawn(ctx context.Context, i instance, environ map[string]string) (running, error) {
	log, err := os.OpenFile(s.data("logs/"+i.part+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return running{}, err
	}
	cmd, err := s.command(ctx, i.name, environ)
	if err != nil {
		return running{}, errors.Join(err, log.Close())
	}
	cmd.Stdout, cmd.Stderr = log, log
	dieWithUs(cmd)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = stopTime
	if err := cmd.Start(); err != nil {
		return running{}, errors.Join(err, log.Close())
	}
	live := loop(context.WithoutCancel(ctx), func(context.Context) error {
		defer func() { _ = log.Close() }()
		err := cmd.Wait()
		if ctx.Err() != nil && !errors.As(err, new(*exec.ExitError)) {
			return nil
		}
		return err
	})
	live.kill = func() { _ = cmd.Process.Kill() }
	live.pid = cmd.Process.Pid
	return live, nil
}

func (s *Stack) command(ctx context.Context, name string, environ map[string]string, args ...string) (*exec.Cmd, error) {
	if s.options.Launch != nil {
		return s.options.Launch(ctx, name, environ, args...)
	}
	cmd := exec.CommandContext(ctx, filepath.Join(s.options.Binaries, name), args...)
	for key, value := range environ {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	return cmd, nil
}

// Command is a service's own program with its environment, for its other commands such as
// replay. It needs Options.Binaries or Options.Launch.
func (s *Stack) Command(ctx context.Context, name string, args ...string) (*exec.Cmd, error) {
	if s.options.Binaries == "" && s.options.Launch == nil {
		return nil, errors.New("the services have no programs of their own here")
	}
	environ, err := s.environ(name)
	if err != nil {
		return nil, err
	}
	return s.command(ctx, name, environ, args...)
}

// listenerClient asks a service's internal listener what it answers without a certificate.
func (s *Stack) listenerClient(name string) (*http.Client, error) {
	transport := &http.Transport{}
	if s.options.Certificates != nil {
		authority, err := os.ReadFile(s.options.Certificates(name).CA)
		if err != nil {
			return nil, err
		}
		believed := x509.NewCertPool()
		believed.AppendCertsFromPEM(authority)
		transport.TLSClientConfig = &tls.Config{RootCAs: believed, MinVersion: tls.VersionTLS13}
	}
	return &http.Client{Transport: transport}, nil
}
