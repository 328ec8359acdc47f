// Package harness runs the whole product for tests and measurements from outside, with a separate
// process for each service. It acts as the people and services that use the product.
//
// It knows the product only as they do: by its addresses, pages, mails and RPCs. The one
// exception is SQL, to read what a database holds.
package harness

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"

	"serein.app/deploy/e2e/wait"
	"serein.app/deploy/local/stack"
	"serein.app/services/testkit/repository"
)

// Harness is the running product.
type Harness struct {
	*stack.Stack
	// Dir holds everything that lasts.
	Dir string
	// Binaries is the folder of the services' binaries.
	Binaries string

	// App is the app that the product serves.
	App App

	options stack.Options
	root    string
}

// Start builds the services and runs them with their data in dir; environ is added to each
// service's environment. The working folder lies in the repository.
func Start(ctx context.Context, dir string, environ map[string]string) (*Harness, error) {
	return StartWith(ctx, stack.Options{DataDir: dir, Environ: environ})
}

// StartWith is Start with more to choose. What the editors' files publish is narrated where the environment says so, else
// not: it would keep the processors busy for minutes. All products share what is compiled of WebAssembly, unless the
// environment names another folder. The services are built with the build tags that are named.
func StartWith(ctx context.Context, options stack.Options, tags ...string) (*Harness, error) {
	root, err := repository.Root()
	if err != nil {
		return nil, err
	}
	unlock, err := alone(ctx, root)
	if err != nil {
		return nil, err
	}
	defer unlock()
	binaries := filepath.Join(root, ".cache", strings.Join(append([]string{"services"}, tags...), "-"))
	if options.Launch == nil {
		if err := build(ctx, root, binaries, tags); err != nil {
			return nil, err
		}
	}
	app, err := readApp(root)
	if err != nil {
		return nil, err
	}
	options.Root, options.Binaries = root, binaries
	environ := map[string]string{"NARRATE": "made", "WASM_CACHE_DIR": filepath.Join(root, ".cache", "wasm")}
	maps.Copy(environ, options.Environ)
	options.Environ = environ
	h := &Harness{Dir: options.DataDir, Binaries: binaries, App: app, options: options, root: root}
	return h, h.start(ctx)
}

// Open looks at a product that another process runs from that data folder.
func Open(dir, root string) (*Harness, error) {
	s, err := stack.Open(stack.Options{DataDir: dir, Root: root})
	if err != nil {
		return nil, err
	}
	app, err := readApp(root)
	return &Harness{Stack: s, Dir: dir, App: app, root: root}, err
}

// App is what the built app says of itself.
type App struct {
	Pages []struct {
		// Path is a pattern such as "/journey/:id"; Access says who may open it.
		Path   string `json:"path"`
		Access string `json:"access"`
		Title  string `json:"title"`
		// HTML is the page's document; empty where it is index.html.
		HTML string `json:"html"`
		// Written says that the document has markup of the page, which the app hydrates; else it has the frame alone.
		Written bool `json:"-"`
	} `json:"pages"`
}

func readApp(root string) (app App, err error) {
	dist := filepath.Join(root, "frontend", "dist")
	manifest, err := os.ReadFile(filepath.Join(dist, "pages.json"))
	if err != nil {
		return App{}, fmt.Errorf("the app is not built: %w", err)
	}
	if err := json.Unmarshal(manifest, &app); err != nil {
		return App{}, err
	}
	for i := range app.Pages {
		page := &app.Pages[i]
		document, err := os.ReadFile(filepath.Join(dist, cmp.Or(page.HTML, "index.html")))
		if err != nil {
			return App{}, err
		}
		page.Written = bytes.Contains(document, []byte(`data-page="`))
	}
	return app, nil
}

func (h *Harness) start(ctx context.Context) (err error) {
	if h.Stack, err = stack.Start(ctx, h.options); err != nil {
		return fmt.Errorf("start the product: %w", err)
	}
	// Without the texts nobody can sign up, and the gateway may have started before content could name them.
	if _, err := h.NewBrowser().TermsVersion(ctx); err != nil {
		return errors.Join(err, h.Stop())
	}
	return nil
}

// Restart stops everything in order and starts it again, on the same addresses.
func (h *Harness) Restart(ctx context.Context) error {
	unlock, err := alone(ctx, h.root)
	if err != nil {
		return err
	}
	defer unlock()
	if err := h.Stop(); err != nil {
		return fmt.Errorf("stop the product: %w", err)
	}
	return h.start(ctx)
}

// Build builds the services, while no other process of this repository does, and gives the folder that they are in.
func Build(ctx context.Context, root string) (binaries string, err error) {
	unlock, err := alone(ctx, root)
	if err != nil {
		return "", err
	}
	defer unlock()
	binaries = filepath.Join(root, ".cache", "services")
	return binaries, build(ctx, root, binaries, nil)
}

func build(ctx context.Context, root, into string, tags []string) error {
	args := []string{"build", "-tags", strings.Join(tags, ","), "-o", into + "/", "serein.app/gateway/cmd/gateway"}
	for _, service := range stack.Services() {
		args = append(args, "serein.app/services/"+service+"/cmd/"+service)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	if err := os.MkdirAll(into, 0o755); err != nil { //nolint:gosec // programs, not secrets
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the services: %w\n%s", err, out)
	}
	return nil
}

// SQL runs a query that gives one value, as the owner of a service's database.
func SQL[T any](ctx context.Context, h *Harness, service, query string, args ...any) (T, error) {
	var value T
	url, err := h.DatabaseURL(service)
	if err != nil {
		return value, err
	}
	ctx, cancel := context.WithTimeout(ctx, wait.Patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return value, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	err = conn.QueryRow(ctx, query, args...).Scan(&value)
	return value, err
}
