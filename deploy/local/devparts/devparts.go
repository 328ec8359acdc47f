// Package devparts runs what a cluster of developers has beside the programs: the inbox, the payment provider that charges
// nobody, and forwarders of connections. Each is configured by its environment. None belongs where members are.
package devparts

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Run runs the part that args name until ctx ends: "inbox", "payments" or "forward FROM=TO ...". environ configures it.
func Run(ctx context.Context, environ map[string]string, args []string) error {
	switch {
	case len(args) == 1 && args[0] == "inbox":
		return configured(ctx, environ, runInbox)
	case len(args) == 1 && args[0] == "payments":
		return configured(ctx, environ, runPayments)
	case len(args) > 1 && args[0] == "forward":
		return runForwards(ctx, args[1:])
	}
	return errors.New("usage: dev-parts inbox, dev-parts payments or dev-parts forward FROM=TO, as often as there are addresses")
}

// stopTime is how long a part may take to finish the requests that it has.
const stopTime = 5 * time.Second

// serve answers on an address until ctx ends.
func serve(ctx context.Context, address string, handler http.Handler) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve %s: %w", address, err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	_ = server.Shutdown(last) // who takes longer is cut off
	return server.Close()
}
