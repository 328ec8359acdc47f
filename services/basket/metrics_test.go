package basket

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheMetricsCountWhatDoesNotGoAsItShould(t *testing.T) {
	t.Parallel()
	h := start(t)
	p := h.guest(t)
	p.add("socks")
	stale := p.another()
	p.add("socks")
	stale.clear()
	stale.undo()
	p.add("wrap")
	h.shop.away.Store(true)
	h.later(time.Hour)
	p.add("socks")
	res, err := http.Get(h.url + "/metrics")
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	seen, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Regexp(t, `serein_basket_refused[a-z_]*\{[^}]*reason="VERSION_MISMATCH".*\} 2`, string(seen))
	require.Regexp(t, `serein_basket_refused[a-z_]*\{[^}]*reason="ITEM_SOLD_OUT".*\} 1`, string(seen))
	require.Regexp(t, `serein_basket_catalogue_failures[a-z_]*\{.*\} 1`, string(seen))
}
