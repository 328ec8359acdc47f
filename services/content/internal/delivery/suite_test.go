package delivery_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/delivery"
)

// suite is where the public client and what it is asked stand.
const suite = "../../delivery-suite"

func TestThePublicClientIsAnsweredInAllThatItCanAsk(t *testing.T) {
	t.Parallel()
	_, err := os.Stat(filepath.Join(suite, "node_modules", "contentful"))
	require.NoError(t, err, "the public client is not installed: run `make parts`")
	var calls atomic.Int64
	a := world(t, func(c *delivery.Config) {
		newID := c.NewID
		c.NewID = func() string { calls.Add(1); return newID() }
	})
	run := exec.CommandContext(t.Context(), "node", "--test", "--test-concurrency=1", "suite.test.mjs")
	run.Dir = suite
	run.Env = append(os.Environ(), "DELIVERY_HOST="+strings.TrimPrefix(a.url, "http://"), "DELIVERY_TOKEN="+token, "WORLD_URL="+a.changes())
	printed, err := run.CombinedOutput()
	require.NoError(t, err, string(printed))
	require.GreaterOrEqual(t, calls.Load(), int64(80), "calls of the client")
}

// changes serves the suite's wishes to change the world meanwhile.
func (a *api) changes() string {
	routes := http.NewServeMux()
	read := func(r *http.Request, into any) {
		if err := json.NewDecoder(r.Body).Decode(into); err != nil {
			a.t.Error(err)
		}
	}
	routes.HandleFunc("POST /publish", func(_ http.ResponseWriter, r *http.Request) {
		var item struct {
			ID, Type string
			Fields   json.RawMessage
		}
		read(r, &item)
		a.publish(item.ID, item.Type, string(item.Fields))
	})
	routes.HandleFunc("POST /remove", func(_ http.ResponseWriter, r *http.Request) {
		var item struct{ Kind, ID string }
		read(r, &item)
		a.remove(item.Kind, item.ID)
	})
	server := httptest.NewServer(routes)
	a.t.Cleanup(server.Close)
	return server.URL
}
