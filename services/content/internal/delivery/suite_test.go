package delivery_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/delivery"
	"serein.app/services/testkit"
)

// suite is where the public client and what it is asked stand.
const suite = "../../delivery-suite"

func TestThePublicClientIsAnsweredInAllThatItCanAsk(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	a := world(t, func(c *delivery.Config) {
		newID := c.NewID
		c.NewID = func() string { calls.Add(1); return newID() }
	})
	testkit.NodeSuite(t, suite, "contentful", "DELIVERY_HOST="+strings.TrimPrefix(a.url, "http://"), "DELIVERY_TOKEN="+token, "WORLD_URL="+a.changes())
	require.GreaterOrEqual(t, calls.Load(), int64(80), "calls of the client")
}

// changes serves the routes by which the suite changes content while it runs.
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
