package stack

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	mathrand "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"sync"

	"github.com/nats-io/nkeys"
)

// settings are the secrets and ports of one machine, made at the first start and kept in the
// data folder: sessions and sign-ins stay valid, and the issuer keeps its address.
type settings struct {
	path string

	mu      sync.Mutex
	Secrets map[string]string `json:"secrets"`
	Ports   map[string]int    `json:"ports"`
	taken   map[int]bool
}

func openSettings(dir string) (*settings, error) {
	s := &settings{
		path:    filepath.Join(dir, "settings.json"),
		Secrets: map[string]string{}, Ports: map[string]int{}, taken: map[int]bool{},
	}
	content, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(content, s); err != nil {
		return nil, fmt.Errorf("%s: %w", s.path, err)
	}
	return s, nil
}

// secret is 32 random bytes in the base64 of addresses, the same at every start: a + would become a space in a form.
func (s *settings) secret(name string) string { return s.random(name, 32, base64.RawURLEncoding) }

// key is the seed of an Ed25519 key, 32 bytes in base64.
func (s *settings) key(name string) string { return s.random(name, 32, base64.StdEncoding) }

// password is a secret that needs no escaping in an address.
func (s *settings) password(name string) string { return s.random(name, 24, base64.RawURLEncoding) }

// nkey is the seed with which a service proves itself to the broker.
func (s *settings) nkey(service string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := "nats." + service
	if seed, ok := s.Secrets[name]; ok {
		return seed, nil
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return "", err
	}
	seed, err := pair.Seed()
	if err != nil {
		return "", err
	}
	s.Secrets[name] = string(seed)
	return string(seed), nil
}

func (s *settings) random(name string, size int, as *base64.Encoding) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if value, ok := s.Secrets[name]; ok {
		return value
	}
	raw := make([]byte, size)
	_, _ = rand.Read(raw) // never fails, crypto/rand
	s.Secrets[name] = as.EncodeToString(raw)
	return s.Secrets[name]
}

// Secrets are all that this machine has made, by their names: for who looks whether one stands where it may not.
func (s *Stack) Secrets() map[string]string {
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	return maps.Clone(s.settings.Secrets)
}

// port is a free loopback port, the same as last time where it is still free.
func (s *settings) port(name string) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if port, ok := s.Ports[name]; ok && !s.taken[port] && free(port) {
		s.taken[port] = true
		return port, nil
	}
	for range 100 {
		if port := firstPort + mathrand.IntN(lastPort-firstPort); !s.taken[port] && free(port) {
			s.Ports[name], s.taken[port] = port, true
			return port, nil
		}
	}
	return 0, errors.New("no free port on loopback")
}

// save replaces the file at once: a start that is cut off leaves the old or the new one whole.
func (s *settings) save() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	content, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(s.path+".new", content, 0o600); err != nil {
		return err
	}
	return os.Rename(s.path+".new", s.path)
}

// Ports are taken from below those that systems give to outgoing connections (32768 on Linux,
// 49152 elsewhere): the port of a part that restarts is then never in a caller's hands.
const (
	firstPort = 20000
	lastPort  = 32000
)

func free(port int) bool {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)) //nolint:noctx // returns at once
	if err != nil {
		return false
	}
	return listener.Close() == nil
}
