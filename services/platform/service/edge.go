package service

import (
	"context"
	"errors"

	"serein.app/services/platform/bus"
	"serein.app/services/platform/config"
	"serein.app/services/platform/mtls"
	"serein.app/services/platform/server"
	"serein.app/services/platform/telemetry"
)

// EdgeConfig is what a program at the edge is configured with: it calls the services for browsers, no service calls it, and it has no
// database. Its own Config embeds it.
type EdgeConfig struct {
	Server server.Config
	// NATSURL is the address of the broker, whose events say what has changed.
	NATSURL config.URL `env:"NATS_URL,required"`
	// Bus is how the program is known to the broker.
	Bus bus.Config
	// TLS proves the program to the services, and the services to the program.
	TLS mtls.Config
	// ServiceKey signs the calls to the services: an Ed25519 seed, 32 bytes in base64.
	ServiceKey config.Secret `env:"SERVICE_KEY,required"`
}

// Validate finds what cannot work.
func (c EdgeConfig) Validate() error { return errors.Join(c.TLS.Validate(), c.Bus.Validate()) }

// RunEdge is Run for a program at the edge.
func RunEdge(ctx context.Context, name string, cfg EdgeConfig, build func(context.Context, *Service) error) error {
	return run(ctx, name, func(tel *telemetry.Telemetry) (*Service, error) { return StartEdge(ctx, name, cfg, tel) }, build)
}

// StartEdge opens what a program at the edge needs: its proof to the services and the broker. Without the broker's address there is no
// Bus. There are neither RPC nor DB nor Outbox. The broker does not have to be there yet. The telemetry is shut down with the program.
func StartEdge(ctx context.Context, name string, cfg EdgeConfig, tel *telemetry.Telemetry) (*Service, error) {
	s := prepare(name, cfg.Server, tel)
	err := s.proveOurselves(cfg.ServiceKey)
	if err == nil {
		err = s.secure(cfg.TLS)
	}
	if err == nil && cfg.NATSURL != "" {
		err = s.openBus(cfg.NATSURL, cfg.Bus)
	}
	return s.started(ctx, err)
}
