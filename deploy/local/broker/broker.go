// Package broker is NATS with JetStream inside this process, stored on disk.
package broker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"serein.app/services/platform/bus"
)

// startTime bounds the start, in which the whole store is read: a slow machine is no fault.
const startTime = 2 * time.Minute

// Config of a broker.
type Config struct {
	// Port on loopback.
	Port int
	// Dir keeps what is stored.
	Dir string
	// Services that keep streams here, with room on disk for all of them.
	Services int
	// Access says who may do what (bus.AccessConfig); everybody else is refused.
	Access string
}

// Start serves on a loopback port. Every acknowledged event is on disk (SyncAlways): the default
// would let an operating system's crash lose two minutes of them.
func Start(c Config) (*server.Server, error) {
	options := &server.Options{}
	if c.Access == "" {
		return nil, errors.New("a broker that lets everybody in is not started")
	}
	if err := options.ProcessConfigString(c.Access); err != nil {
		return nil, fmt.Errorf("broker's access: %w", err)
	}
	options.ServerName, options.Host, options.Port = "serein", "127.0.0.1", c.Port
	options.JetStream, options.StoreDir, options.SyncAlways = true, c.Dir, true
	options.JetStreamMaxMemory, options.JetStreamMaxStore = 32<<20, int64(c.Services)*bus.StoredBytes
	options.NoSigs, options.NoLog, options.MaxPayload = true, true, 256<<10
	nats, err := server.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("broker: %w", err)
	}
	nats.Start()
	if !nats.ReadyForConnections(startTime) {
		nats.Shutdown()
		return nil, errors.New("the broker did not start")
	}
	return nats, nil
}

// Run keeps the broker until ctx ends.
func Run(ctx context.Context, nats *server.Server) error {
	<-ctx.Done()
	nats.Shutdown()
	nats.WaitForShutdown()
	return nil
}
