package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"serein.app/services/testkit/bare"
)

// bareCommand is the first argument that makes this program serve a bare handler. The measuring program starts
// it as a separate process, as the product's parts are.
const bareCommand = "bare"

// Bare handlers by the name that the second argument gives.
const (
	barePage    = "page" // answers what the file at the third argument holds, header and body
	bareService = "service"
	bareHop     = "hop" // forwards to the service at the third argument
)

// serveBare serves until standard input ends, which it does with the program that started it.
func serveBare(args []string) error {
	handler, err := chooseBare(args)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it lives as long as the process
	if err != nil {
		return err
	}
	fmt.Println("http://" + listener.Addr().String())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = server.Close()
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func chooseBare(args []string) (http.Handler, error) {
	switch strings.Join(args[:min(1, len(args))], "") {
	case bareService:
		return bare.Service(), nil
	case bareHop:
		if len(args) == 2 {
			return bare.Hop(args[1]), nil
		}
	case barePage:
		if len(args) == 2 {
			return sameAnswer(args[1])
		}
	}
	return nil, fmt.Errorf("there is no bare handler %q", args)
}

// sameAnswer is the handler that gives the answer in a file, as it came over the wire.
func sameAnswer(file string) (http.Handler, error) {
	answer, err := os.ReadFile(file) //nolint:gosec // the file that startBare's caller has written
	if err != nil {
		return nil, err
	}
	res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(answer)), nil)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(res.Body)
	res.Header.Del("Date") // net/http's own
	return bare.Handler(res.Header, body), errors.Join(err, res.Body.Close())
}

// startBare runs a bare handler in a separate process and returns its address. The process ends with ctx.
func startBare(ctx context.Context, args ...string) (address string, err error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, program, append([]string{bareCommand}, args...)...)
	cmd.Stderr = os.Stderr
	if _, err := cmd.StdinPipe(); err != nil {
		return "", err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	address, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", errors.Join(fmt.Errorf("start the bare %s: %w", args[0], err), cmd.Process.Kill(), cmd.Wait())
	}
	go func() { _ = cmd.Wait() }()
	return strings.TrimSpace(address), nil
}
