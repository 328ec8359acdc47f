// Package canaries searches for secrets where they must not appear: in everything that a browser receives or requests, in logs and in
// letters.
//
// It knows the secrets that a test registers, and recognises every token by its form. It does not know what a person is meant to see
// once: codes that are mailed, recovery codes, the key of an authenticator app.
package canaries

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// shortest secret that is looked for, in bytes: a shorter one stands in a text by chance.
const shortest = 12

// most faults that are kept: one leak may show on every page.
const most = 50

// token is a signed one, as ID tokens, access tokens and the tokens between services are (RFC 7515, 3.1): its header and its claims are JSON.
var token = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}`)

// Watch is ready for concurrent use.
type Watch struct {
	mu      sync.Mutex
	secrets map[string]string // its name, by the secret
	looks   int
	faults  []string
}

// New knows no secret but tokens.
func New() *Watch { return &Watch{secrets: map[string]string{}} }

// Secret is looked for from now on, under the name. What is too short is not.
func (w *Watch) Secret(name, secret string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(secret) >= shortest {
		w.secrets[secret] = name
	}
}

// Look looks at a text that may hold no secret; where says what it is.
func (w *Watch) Look(where string, text []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.looks++
	for secret, name := range w.secrets {
		if at := bytes.Index(text, []byte(secret)); at >= 0 {
			w.fault(where, name, text, at)
		}
	}
	if at := token.FindIndex(text); at != nil {
		w.fault(where, "a token", text, at[0])
	}
}

// fault keeps what stands before the secret, and not the secret.
func (w *Watch) fault(where, name string, text []byte, at int) {
	if len(w.faults) < most {
		w.faults = append(w.faults, fmt.Sprintf("%s holds %s, after %q", where, name, text[max(0, at-60):at]))
	}
}

// Folder looks at every file below a folder.
func (w *Watch) Folder(folder string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path) //nolint:gosec // of a folder of ours
		if err != nil {
			return err
		}
		w.Look(path, text)
		return nil
	})
}

// Err says where secrets were found, and an error too where nothing was looked at: who looks nowhere finds nothing.
func (w *Watch) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case len(w.faults) > 0:
		return fmt.Errorf("secrets where none may stand:\n%s", strings.Join(w.faults, "\n"))
	case w.looks == 0 || len(w.secrets) == 0:
		return fmt.Errorf("%d texts were looked at for %d secrets", w.looks, len(w.secrets))
	}
	return nil
}
