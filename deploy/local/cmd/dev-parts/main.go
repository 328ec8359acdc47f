// Command dev-parts runs a part of a developers' cluster: the inbox, the payment provider that charges nobody, or a
// forwarder of connections. See deploy/k8s/README.md.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"serein.app/deploy/local/devparts"
	"serein.app/services/platform/config"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := devparts.Run(ctx, config.Environ(), os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "dev-parts:", err)
		os.Exit(1)
	}
}
