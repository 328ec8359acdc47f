package stack

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
)

// settings are the secrets and ports of one machine, made at the first start and kept in the
// data folder: sessions and sign-ins stay valid, and the issuer keeps its address.
type settings struct {
	path    string
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

// secret is 32 random bytes in base64, the same at every start.
func (s *settings) secret(name string) string {
	if value, ok := s.Secrets[name]; ok {
		return value
	}
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails, crypto/rand
	s.Secrets[name] = base64.StdEncoding.EncodeToString(raw)
	return s.Secrets[name]
}

// password is a secret that needs no escaping in an address.
func (s *settings) password(name string) string {
	if value, ok := s.Secrets[name]; ok {
		return value
	}
	raw := make([]byte, 24)
	_, _ = rand.Read(raw)
	s.Secrets[name] = base64.RawURLEncoding.EncodeToString(raw)
	return s.Secrets[name]
}

// port is a free loopback port, the same as last time where it is still free.
func (s *settings) port(name string) (int, error) {
	if port, ok := s.Ports[name]; ok && !s.taken[port] && free(port) {
		s.taken[port] = true
		return port, nil
	}
	for range 100 {
		port, err := anyPort()
		if err != nil {
			return 0, err
		}
		if !s.taken[port] {
			s.Ports[name], s.taken[port] = port, true
			return port, nil
		}
	}
	return 0, errors.New("no free port on loopback")
}

func (s *settings) save() error {
	content, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(s.path, content, 0o600)
}

func free(port int) bool {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)) //nolint:noctx // returns at once
	if err != nil {
		return false
	}
	return listener.Close() == nil
}

func anyPort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // returns at once
	if err != nil {
		return 0, err
	}
	addr, _ := listener.Addr().(*net.TCPAddr)
	return addr.Port, listener.Close()
}
