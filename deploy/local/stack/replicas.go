package stack

import (
	"context"
	"fmt"
	"maps"
	"net"
	"strconv"

	"serein.app/deploy/local/balancer"
)

// role is a task of a program that runs in separate processes when the product has replicas, as the manifests of deploy/k8s have it.
type role struct {
	// name of its processes.
	name string
	// environ says it to the program.
	environ map[string]string
	// silent: nobody calls it.
	silent bool
}

// instance is one process of a program.
type instance struct {
	program
	role role
	// part is the name of the process, of its log and of its ports.
	part string
}

// replicated: each program runs several times, behind a balancer at each of its addresses.
func (s *Stack) replicated() bool { return s.options.Replicas > 1 }

// instances are all processes of programs, in the order of the list.
func (s *Stack) instances() (all []instance) {
	for _, p := range programs {
		if !s.replicated() {
			all = append(all, instance{program: p, part: p.name})
			continue
		}
		roles := p.roles
		if roles == nil {
			roles = []role{{name: p.name}}
		}
		for _, r := range roles {
			for n := range s.options.Replicas {
				all = append(all, instance{p, r, r.name + "-" + strconv.Itoa(n+1)})
			}
		}
	}
	return all
}

// Processes are the names of all processes of programs: those of the programs, with a number each where there are replicas.
func (s *Stack) Processes() (names []string) {
	for _, i := range s.instances() {
		names = append(names, i.part)
	}
	return names
}

// public is the name of the port that a replica's public listener has.
func public(part string) string { return part + "-public" }

// instanceEnviron is the environment of a process.
func (s *Stack) instanceEnviron(i instance) (map[string]string, error) {
	environ, err := s.environ(i.name)
	if err != nil || !s.replicated() {
		return environ, err
	}
	maps.Copy(environ, i.role.environ)
	environ["INTERNAL_ADDR"] = s.loopback(internal(i.part))
	if environ["PUBLIC_ADDR"] != "" {
		environ["PUBLIC_ADDR"] = s.loopback(public(i.part))
	}
	return environ, nil
}

// balancers are the parts that take connections for the replicas. They are watched from before the first start.
func (s *Stack) balancers() (parts []*part, err error) {
	internals, publics := map[string][]balancer.Target{}, map[string][]balancer.Target{}
	for _, i := range s.instances() {
		client, err := s.listenerClient(i.name)
		if err != nil {
			return nil, err
		}
		r := balancer.NewReplica(func(ctx context.Context) bool { _, is := ready(ctx, client, s.partURL(i.part)+"/readyz"); return is })
		s.replicas[i.part] = r
		parts = append(parts, &part{name: "watch-" + i.part, address: s.partURL(i.part), start: func(ctx context.Context) (running, error) {
			return loop(ctx, r.Watch), nil
		}})
		if !i.role.silent {
			internals[i.name] = append(internals[i.name], balancer.Target{Replica: r, Address: s.loopback(internal(i.part))})
			publics[i.name] = append(publics[i.name], balancer.Target{Replica: r, Address: s.loopback(public(i.part))})
		}
	}
	for _, p := range programs {
		parts = append(parts, s.balancer(internal(p.name), s.loopback(internal(p.name)), internals[p.name]))
		if p.environ != nil && p.environ(s)["PUBLIC_ADDR"] != "" {
			parts = append(parts, s.balancer(public(p.name), p.environ(s)["PUBLIC_ADDR"], publics[p.name]))
		}
	}
	return parts, nil
}

func (s *Stack) balancer(name, address string, targets []balancer.Target) *part {
	return &part{name: "balancer-" + name, address: address, start: func(ctx context.Context) (running, error) {
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
		if err != nil {
			return running{}, err
		}
		return loop(ctx, func(ctx context.Context) error { return balancer.New(targets...).Serve(ctx, listener) }), nil
	}}
}

// RollingRestart brings the databases up to date and then restarts every process, as a roll-out does: one ends in order, and starts again and is
// ready before the next ends.
func (s *Stack) RollingRestart(ctx context.Context) error {
	if err := s.migrate(ctx); err != nil {
		return err
	}
	for _, name := range s.Processes() {
		s.options.Tell("Restarting " + name)
		if err := s.StopPart(name); err != nil {
			return fmt.Errorf("stop %s: %w", name, err)
		}
		if err := s.StartPart(ctx, name); err != nil {
			return fmt.Errorf("start %s again: %w", name, err)
		}
	}
	return nil
}
