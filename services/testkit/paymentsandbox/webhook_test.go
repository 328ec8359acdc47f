package paymentsandbox

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const testSecret = "whsec_0123456789abcdef0123456789abcdef"

// receiver accepts webhooks, and refuses the first ones, as many as refuse says.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	refuse int
	ids    []string
	proven bool
}

func newReceiver(t *testing.T, refuse int) *receiver {
	t.Helper()
	r := &receiver{refuse: refuse, proven: true}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		var told struct {
			ID string `json:"id"`
		}
		_ = json.Unmarshal(body, &told)
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.refuse > 0 {
			r.refuse--
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		r.proven = r.proven && len(req.Header.Get("Stripe-Signature")) > len("t=,v1=")
		r.ids = append(r.ids, told.ID)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) taken() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.ids)
}

func ids(events []EventType) []string {
	found := make([]string, len(events))
	for i, e := range events {
		found[i] = e.ID
	}
	return found
}

func told(t *testing.T, refuse int) (*world, *receiver) {
	t.Helper()
	to := newReceiver(t, refuse)
	return newWorld(t, Config{Webhook: Webhook{URL: to.URL, Secrets: []string{testSecret}}}), to
}

func TestEveryEventIsToldUntilItIsTaken(t *testing.T) {
	t.Parallel()
	w, to := told(t, 5)
	require.NoError(t, w.Pay(w.sold("month")["id"].(string), Accepted))
	require.NoError(t, w.Settled(t.Context()))
	require.ElementsMatch(t, ids(w.Events()), to.taken())
	require.True(t, to.proven)
}

func TestWebhooksOutliveARestart(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/payments.json"
	nobody := httptest.NewServer(http.NotFoundHandler())
	nobody.Close()
	before := newWorld(t, Config{File: file, Webhook: Webhook{URL: nobody.URL, Secrets: []string{testSecret}}})
	before.must("POST", "/v1/customers")
	require.NoError(t, before.Close())

	to := newReceiver(t, 0)
	after := newWorld(t, Config{File: file, Webhook: Webhook{URL: to.URL, Secrets: []string{testSecret}}})
	require.NoError(t, after.Settled(t.Context()))
	require.Equal(t, ids(before.Events()), to.taken())
}

func TestWebhooksAreHeldAndToldInAnyOrderAsOftenAsAsked(t *testing.T) {
	t.Parallel()
	w, to := told(t, 0)
	w.SetDelivery(Delivery{Hold: true})
	require.NoError(t, w.Pay(w.sold("month")["id"].(string), Accepted))
	require.NoError(t, w.Settled(t.Context()))
	require.Empty(t, to.taken())
	order := ids(w.Events())
	slices.Reverse(order)
	order = append(order, order[0])
	answers, err := w.Deliver(t.Context(), order...)
	require.NoError(t, err)
	require.Equal(t, order, to.taken())
	require.Equal(t, slices.Repeat([]int{http.StatusOK}, len(order)), answers)
}

func TestWebhooksAreDroppedRepeatedAndDelayed(t *testing.T) {
	t.Parallel()
	w, to := told(t, 0)
	w.SetDelivery(Delivery{Drop: 1, Repeat: 2, Delay: 20 * time.Millisecond, Shuffle: true})
	began := time.Now()
	w.must("POST", "/v1/customers")
	w.must("POST", "/v1/customers")
	require.NoError(t, w.Settled(t.Context()))
	require.GreaterOrEqual(t, time.Since(began), 20*time.Millisecond)
	second := w.Events()[1].ID
	require.Equal(t, []string{second, second, second}, to.taken())
}

func TestWhoListensToNothingIsToldNothingLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	w.must("POST", "/v1/customers")
	to := newReceiver(t, 0)
	w.Notify(Webhook{URL: to.URL, Secrets: []string{testSecret}})
	w.must("POST", "/v1/customers")
	require.NoError(t, w.Settled(t.Context()))
	require.Equal(t, []string{w.Events()[1].ID}, to.taken())
}
