// Package embeddedpg runs a real PostgreSQL server from plain binaries, for the one-machine
// product and for tests. It needs no installation and no root; as root the server drops to
// an unprivileged user, since PostgreSQL refuses to run as root.
package embeddedpg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/testkit/freeport"
)

// Config of a server.
type Config struct {
	// Binaries is the folder that holds bin, lib and share.
	Binaries string
	// Data is the folder of the cluster; it is made at the first start.
	Data string
	// Port on loopback; 0 picks a free one.
	Port int
	// Password of the administrator, the role postgres.
	Password string
	// Fast gives up durability, for tests only.
	Fast bool
	// Log receives the server's own log.
	Log *os.File
}

// Server is a running PostgreSQL.
type Server struct {
	cfg  Config
	cmd  *exec.Cmd
	done chan struct{}
}

const admin = "postgres"

// How long the first start and a stop may take on a slow machine.
const (
	// startTime is long: after a crash the server reads its log again first, and the machine may be busy. One that has ended is noticed at once.
	startTime = 10 * time.Minute
	// stopTime is as long: PostgreSQL writes all that it holds before it ends.
	stopTime = 10 * time.Minute
	// leftoverTime is more than a service's longest statement on a slow machine.
	leftoverTime = 5 * time.Minute
)

// Start creates the cluster on the first run, starts the server and waits until it answers.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	var err error
	if cfg.Binaries, err = filepath.Abs(cfg.Binaries); err != nil {
		return nil, err
	}
	if cfg.Data, err = filepath.Abs(cfg.Data); err != nil {
		return nil, err
	}
	if err := hydrate(cfg.Binaries); err != nil {
		return nil, fmt.Errorf("PostgreSQL binaries: %w", err)
	}
	crashed, err := initialise(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("make the database cluster: %w", err)
	}
	if cfg.Port == 0 {
		port, err := freeport.New()
		if err != nil {
			return nil, err
		}
		cfg.Port = port
	}
	if !crashed {
		return start(ctx, cfg)
	}
	return startAgain(ctx, cfg)
}

// startAgain starts after a crash. What is left of the server that was killed ends when its
// statements do, and PostgreSQL refuses to start until then.
func startAgain(ctx context.Context, cfg Config) (*Server, error) {
	waiting, cancel := context.WithTimeout(ctx, leftoverTime)
	defer cancel()
	pause := time.NewTicker(100 * time.Millisecond)
	defer pause.Stop()
	for {
		s, err := start(ctx, cfg)
		if !errors.Is(err, errEnded) {
			return s, err
		}
		select {
		case <-waiting.Done():
			return nil, err
		case <-pause.C:
		}
	}
}

func start(ctx context.Context, cfg Config) (*Server, error) {
	s := &Server{cfg: cfg, done: make(chan struct{})}
	if err := s.launch(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if err := s.wait(ctx); err != nil {
		s.Kill()
		return nil, err
	}
	return s, nil
}

// URL of a database for the administrator.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres://%s:%s@127.0.0.1:%d/%s?sslmode=disable", admin, s.cfg.Password, s.cfg.Port, database)
}

// Pid of the server's first process.
func (s *Server) Pid() int { return s.cmd.Process.Pid }

// Done is closed when the server has ended.
func (s *Server) Done() <-chan struct{} { return s.done }

// Stop ends the server cleanly: clients are disconnected, data is written.
func (s *Server) Stop() error {
	return s.end(syscall.SIGINT) // PostgreSQL's "fast shutdown"
}

// Kill ends the server as a power cut would.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	<-s.done
}

func (s *Server) end(signal os.Signal) error {
	if err := s.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-s.done:
		return nil
	case <-time.After(stopTime):
		s.Kill()
		return errors.New("PostgreSQL did not stop in time and was killed")
	}
}

func (s *Server) launch() error {
	settings := map[string]string{
		"listen_addresses": "127.0.0.1", "port": strconv.Itoa(s.cfg.Port), "unix_socket_directories": "",
		"max_connections": "120", "shared_buffers": "32MB", "max_wal_size": "256MB",
		"autovacuum_naptime": "30s", "jit": "off", "log_min_messages": "warning", "log_connections": "off",
		"io_method": "sync", "wal_compression": "on", "huge_pages": "off",
		// In its own folder: one that is killed would leave what it shares in /dev/shm for ever.
		"dynamic_shared_memory_type": "mmap",
	}
	if s.cfg.Fast {
		for _, name := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
			settings[name] = "off"
		}
		settings["max_connections"] = "400"
		settings["scram_iterations"] = "1" // a test connects thousands of times
		settings["wal_level"], settings["max_wal_senders"] = "minimal", "0"
		// It would change plans while a test compares them: its snapshot keeps a VACUUM from marking rows as seen by all.
		settings["autovacuum"] = "off"
	}
	args := []string{"-D", s.cfg.Data}
	for name, value := range settings {
		args = append(args, "-c", name+"="+value)
	}
	s.cmd = command(context.Background(), s.cfg, "postgres", args...)
	if err := s.cmd.Start(); err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	go func() { _ = s.cmd.Wait(); close(s.done) }()
	return nil
}

var errEnded = errors.New("PostgreSQL ended at once; see its log")

func (s *Server) wait(ctx context.Context) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := pgx.Connect(ctx, s.URL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.done:
			return errEnded
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL did not answer: %w", err)
		case <-tick.C:
		}
	}
}

// command runs one of PostgreSQL's programs, with nothing of our environment.
func command(ctx context.Context, cfg Config, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(cfg.Binaries, "bin", name), args...)
	cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin", "TZ=UTC"}
	cmd.Dir = "/"
	if cfg.Log != nil {
		cmd.Stdout, cmd.Stderr = cfg.Log, cfg.Log
	}
	cmd.SysProcAttr = attributes()
	return cmd
}

// initialise creates the cluster if the data folder is empty; it reports whether the server of an existing cluster was killed.
func initialise(ctx context.Context, cfg Config) (crashed bool, err error) {
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return false, err
	}
	if err := own(cfg.Data); err != nil {
		return false, err
	}
	if _, err := os.Stat(filepath.Join(cfg.Data, "PG_VERSION")); err == nil {
		return removeStalePid(cfg.Data)
	}
	secret, err := os.MkdirTemp("", "serein-pg-*")
	if err != nil {
		return false, err
	}
	defer func() { _ = os.RemoveAll(secret) }()
	password := filepath.Join(secret, "password")
	if err := errors.Join(os.WriteFile(password, []byte(cfg.Password+"\n"), 0o600), own(secret)); err != nil {
		return false, err
	}
	args := []string{
		"-D", cfg.Data, "-U", admin, "--pwfile", password, "-A", "scram-sha-256",
		"-E", "UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C",
	}
	if cfg.Fast {
		args = append(args, "--no-sync")
	}
	cmd := command(ctx, cfg, "initdb", args...)
	cmd.Stdout, cmd.Stderr = nil, nil
	if out, err := cmd.CombinedOutput(); err != nil {
		return false, fmt.Errorf("initdb: %w: %s", err, strings.TrimSpace(string(out)))
	}
	return false, nil
}

// removeStalePid forgets a server that was killed. PostgreSQL does so itself unless another
// process has taken over the number by now, which happens in containers. It says whether there
// was one.
func removeStalePid(data string) (bool, error) {
	content, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	first, _, _ := strings.Cut(string(content), "\n")
	if runsPostgres(strings.TrimSpace(first)) {
		return false, errors.New("another PostgreSQL is still running on this data folder")
	}
	return true, os.Remove(filepath.Join(data, "postmaster.pid"))
}

// runsPostgres says whether that process is a PostgreSQL server; what is not a number is none.
func runsPostgres(pid string) bool {
	number, err := strconv.Atoi(pid)
	if err != nil {
		return false
	}
	name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", number))
	return strings.TrimSpace(string(name)) == "postgres"
}

// hydrate makes the links between library names that an npm package cannot hold.
func hydrate(binaries string) error {
	content, err := os.ReadFile(filepath.Join(binaries, "pg-symlinks.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(content, &links); err != nil {
		return err
	}
	root := filepath.Dir(binaries) // the paths start with the folder's own name
	for _, link := range links {
		target := filepath.Join(root, link.Target)
		if _, err := os.Lstat(target); err == nil {
			continue
		}
		source, err := filepath.Rel(filepath.Dir(target), filepath.Join(root, link.Source))
		if err != nil {
			return err
		}
		if err := os.Symlink(source, target); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}
