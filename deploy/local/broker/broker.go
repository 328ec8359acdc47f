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

// startTime bounds the start; a large store is read first.
const startTime = 20 * time.Second

// Start serves on a loopback port, with room on disk for that many streams. Every acknowledged event is on disk (SyncAlways): the
// default would let an operating system's crash lose two minutes of them.
func Start(port int, dir string, streams int) (*server.Server, error) {
	nats, err := server.NewServer(&server.Options{
		ServerName: "serein", Host: "127.0.0.1", Port: port,
		JetStream: true, StoreDir: dir, SyncAlways: true,
		JetStreamMaxMemory: 32 << 20, JetStreamMaxStore: int64(streams) * bus.StreamBytes,
		NoSigs: true, NoLog: true, MaxPayload: 256 << 10,
	})
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
