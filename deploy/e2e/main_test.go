// Package e2e proves the whole product from outside: in a real browser, over gRPC, with its
// parts killed, and with input that means harm.
package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"serein.app/deploy/e2e/browser"
	"serein.app/deploy/e2e/canaries"
	"serein.app/deploy/e2e/harness"
)

// product is what the tests of this package share, and chromium the browser.
var (
	product  *harness.Harness
	chromium *browser.Browser
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	dir, err := os.MkdirTemp("", "serein-e2e-")
	if err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx := context.Background()
	// All tests come from one address, which would otherwise be asked to slow down.
	product, err = harness.Start(ctx, dir, map[string]string{"LIMIT_SCALE": "1000"})
	if err != nil {
		return 1, err
	}
	defer func() { _ = product.Stop() }()
	if err := product.AwaitShop(ctx); err != nil {
		return 1, err
	}
	watch := canaries.New()
	for name, secret := range product.Secrets() {
		watch.Secret("the secret "+name, secret)
	}
	watch.Secret("a member's password", harness.Password)
	watch.Secret("a member's new password", newPassword)
	started, stop, err := browser.Start(ctx, watch)
	defer stop()
	if err != nil {
		return 1, fmt.Errorf("start Chromium: %w", err)
	}
	chromium = started
	code = m.Run()
	return code, leaked(dir, watch)
}

// leaked looks for secrets in all that the services have logged and mailed meanwhile, and says what the pages held.
func leaked(dir string, watch *canaries.Watch) error {
	return errors.Join(watch.Folder(filepath.Join(dir, "logs")), watch.Folder(filepath.Join(dir, "inbox")), watch.Err())
}
