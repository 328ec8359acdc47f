// Command live runs a program in a developer's container, and starts it again on SIGHUP: `live IMAGE VOLUME PROGRAM [ARGUMENT ...]`. It
// is the entry point of live.Dockerfile.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"serein.app/deploy/docker/live"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: live IMAGE VOLUME PROGRAM [ARGUMENT ...]")
		os.Exit(2)
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, live.Again, syscall.SIGTERM, syscall.SIGINT, syscall.SIGQUIT)
	program := live.Program{Image: os.Args[1], Volume: os.Args[2], Name: os.Args[3], Args: os.Args[4:], Out: os.Stdout, Err: os.Stderr}
	code, err := program.Run(signals)
	if err != nil {
		fmt.Fprintln(os.Stderr, "live:", err)
		os.Exit(1)
	}
	os.Exit(code)
}
