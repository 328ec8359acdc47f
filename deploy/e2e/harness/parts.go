package harness

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"serein.app/deploy/local/stack"
)

// Pids are the processes of the services and the gateway by name, but for those named.
func (h *Harness) Pids(but ...string) (map[string]int, error) {
	pids := map[string]int{}
	for _, name := range stack.Programs() {
		if slices.Contains(but, name) {
			continue
		}
		pid, err := h.Pid(name)
		if err != nil {
			return nil, err
		}
		pids[name] = pid
	}
	return pids, nil
}

// AwaitReady waits until every service and the gateway say that they are ready.
func (h *Harness) AwaitReady(ctx context.Context) error {
	browser := h.NewBrowser()
	for _, name := range stack.Programs() {
		err := Eventually(ctx, name+" is ready", func(ctx context.Context) (bool, error) {
			page, err := browser.Get(ctx, h.ServiceURL(name)+"/readyz")
			if err != nil {
				return false, err
			}
			if page.StatusCode != http.StatusOK {
				return false, fmt.Errorf("%s: %s", page.Status, page.Body)
			}
			return true, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Revive starts a part until it runs: it may not start while another one is away.
func (h *Harness) Revive(ctx context.Context, name string) error {
	return Eventually(ctx, name+" runs", func(ctx context.Context) (bool, error) {
		if h.Up(name) {
			return true, nil
		}
		err := h.StartPart(ctx, name)
		return err == nil, err
	})
}

// Forget deletes what lies under a name in the data folder, while nobody uses it.
func (h *Harness) Forget(name string) error { return os.RemoveAll(filepath.Join(h.Dir, name)) }
