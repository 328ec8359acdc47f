package devparts

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"serein.app/deploy/local/balancer"
)

// forward leads connections on, so that an address of this machine's browser is the same place inside a pod.
type forward struct{ from, to string }

const (
	// maxForwarded is how many connections a forwarder has at once. Further ones wait to be accepted.
	maxForwarded = 256
	// dialTime is how long the place that connections lead to may take to accept one.
	dialTime = 10 * time.Second
)

// runForwards leads each FROM to its TO.
func runForwards(ctx context.Context, pairs []string) error {
	parts, ctx := errgroup.WithContext(ctx)
	for _, pair := range pairs {
		from, to, ok := strings.Cut(pair, "=")
		if !ok || from == "" || to == "" {
			return fmt.Errorf("%q is not FROM=TO, such as 127.0.0.1:8081=identity:8080", pair)
		}
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", from)
		if err != nil {
			return err
		}
		parts.Go(func() error { return forward{from, to}.run(ctx, listener) })
	}
	return parts.Wait()
}

// run accepts connections until ctx ends, which closes those that are open too.
func (f forward) run(ctx context.Context, listener net.Listener) error {
	defer context.AfterFunc(ctx, func() { _ = listener.Close() })()
	var open errgroup.Group
	open.SetLimit(maxForwarded)
	for {
		connection, err := listener.Accept()
		if ctx.Err() != nil {
			return open.Wait()
		}
		if err != nil {
			return fmt.Errorf("accept at %s: %w", f.from, err)
		}
		open.Go(func() error {
			f.lead(ctx, connection)
			return nil
		})
	}
}

// lead takes a connection to the other place. A place that cannot be reached ends the connection.
func (f forward) lead(ctx context.Context, near net.Conn) {
	far, err := (&net.Dialer{Timeout: dialTime}).DialContext(ctx, "tcp", f.to)
	if err != nil {
		_ = near.Close()
		return
	}
	balancer.Join(ctx, near, far)
}
