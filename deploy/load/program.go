package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"serein.app/deploy/e2e/harness"
)

// buildStack builds the program that `make run` runs.
func buildStack(ctx context.Context, root string) (program string, err error) {
	program = filepath.Join(root, ".cache", "serein")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", program, "./deploy/local/cmd/serein")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the stack: %w\n%s", err, out)
	}
	return program, nil
}

// running is the stack as `make run` runs it: all services in one process.
type running struct {
	cmd *exec.Cmd
	dir string
	// ready is how long it took; steps are what it said it was doing, and for how long.
	ready time.Duration
	steps []step
	// last is the last line it said; to be read when it has ended.
	last  string
	ended chan error
}

type step struct {
	name string
	took time.Duration
}

// patience bounds a start on a slow machine.
const patience = 2 * time.Minute

// startStack runs the program on a data folder until it says that it is ready.
func startStack(ctx context.Context, program, dir string) (*running, error) {
	cmd := exec.Command(program) //nolint:noctx // it is asked to stop, and ends in order
	cmd.Env = append(os.Environ(), "DATA_DIR="+dir, "PORT=0", "INBOX_PORT=0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	r := &running{cmd: cmd, dir: dir, ended: make(chan error, 1)}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	said := make(chan bool, 1)
	go func() {
		r.listen(bufio.NewScanner(out), began, said)
		r.ended <- cmd.Wait()
	}()
	select {
	case <-said:
		return r, nil
	case err := <-r.ended:
		return nil, fmt.Errorf("the stack ended: %w: %s", err, r.last)
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), r.stop())
	case <-time.After(patience):
		return nil, errors.Join(errors.New("the stack did not become ready"), r.stop())
	}
}

// listen notes when each step begins, until the stack is ready, and reads on to the end.
func (r *running) listen(lines *bufio.Scanner, began time.Time, said chan<- bool) {
	last, name := began, "the program"
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		r.last = line
		if r.ready > 0 {
			continue
		}
		now := time.Now()
		r.steps = append(r.steps, step{name, now.Sub(last)})
		last, name = now, line
		if strings.HasPrefix(line, "Serein is ready") {
			r.ready = now.Sub(began)
			said <- true
		}
	}
}

// stop ends it as Ctrl-C does.
func (r *running) stop() error {
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return <-r.ended
}

// harness looks at the running stack from outside.
func (r *running) harness(root string) (*harness.Harness, error) {
	return harness.Open(r.dir, root)
}
