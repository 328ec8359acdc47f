package paymentsandbox

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/testkit/clock"
	"serein.app/services/testkit/stripespec"
)

const testKey = "sk_test_sandbox"

// world is a sandbox with a caller of its API and a clock.
type world struct {
	*Sandbox
	t     *testing.T
	url   string
	clock *clock.Clock
}

func newWorld(t *testing.T, c Config) *world {
	t.Helper()
	return newWorldBehind(t, c, func(s http.Handler) http.Handler { return s })
}

// described is a world all of whose requests and answers are held against Stripe's description.
func described(t *testing.T) *world {
	t.Helper()
	return newWorldBehind(t, Config{}, func(s http.Handler) http.Handler { return stripespec.Check(t, s) })
}

func newWorldBehind(t *testing.T, c Config, behind func(http.Handler) http.Handler) *world {
	t.Helper()
	moving := clock.New()
	c.Key, c.Now = testKey, moving.Now
	if c.Retry == 0 {
		c.Retry = time.Millisecond
	}
	s, err := New(c)
	require.NoError(t, err)
	server := httptest.NewServer(behind(s))
	t.Cleanup(func() {
		server.Close()
		require.NoError(t, s.Close())
	})
	return &world{s, t, server.URL, moving}
}

// ask sends a form and gives the status and the answer. Fields are name=value, their values as they are.
func (w *world) ask(method, path, key string, fields ...string) (int, object) {
	w.t.Helper()
	res, body := w.raw(method, path, key, testKey, fields...)
	return res.StatusCode, body
}

func (w *world) raw(method, path, key, apiKey string, fields ...string) (*http.Response, object) {
	w.t.Helper()
	form := url.Values{}
	for _, field := range fields {
		name, value, _ := strings.Cut(field, "=")
		form.Add(name, value)
	}
	address, body := w.url+path, io.Reader(nil)
	if method == http.MethodPost {
		body = strings.NewReader(form.Encode())
	} else if len(form) > 0 {
		address += "?" + form.Encode()
	}
	req, err := http.NewRequestWithContext(w.t.Context(), method, address, body)
	require.NoError(w.t, err)
	req.Header.Set("Authorization", "Bearer "+apiKey)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(w.t, err)
	defer func() { _ = res.Body.Close() }()
	var answer object
	require.NoError(w.t, json.NewDecoder(res.Body).Decode(&answer))
	return res, answer
}

// must asks for what has to work.
func (w *world) must(method, path string, fields ...string) object {
	w.t.Helper()
	status, answer := w.ask(method, path, "", fields...)
	require.Equal(w.t, http.StatusOK, status, answer)
	return answer
}

// sold makes a price, a customer and an open checkout, of a membership where interval is not empty.
func (w *world) sold(interval string, more ...string) object {
	w.t.Helper()
	product := w.must("POST", "/v1/products", "name=Premium")["id"].(string)
	fields, mode := []string{"product=" + product, "currency=gbp", "unit_amount=1999"}, modePayment
	if interval != "" {
		fields, mode = append(fields, "recurring[interval]="+interval), modeSubscription
	}
	price := w.must("POST", "/v1/prices", fields...)["id"].(string)
	customer := w.must("POST", "/v1/customers", "email=amara@example.com", "metadata[uid]=uid-1")["id"].(string)
	return w.must("POST", "/v1/checkout/sessions", append([]string{
		"mode=" + mode, "customer=" + customer, "line_items[0][price]=" + price, "line_items[0][quantity]=1",
		"success_url=http://localhost/done?session={CHECKOUT_SESSION_ID}", "cancel_url=http://localhost/basket",
	}, more...)...)
}

func (w *world) session(id any) object { return w.must("GET", "/v1/checkout/sessions/"+id.(string)) }

func code(answer object) any { return answer["error"].(object)["code"] }

func timeText(unix int64) string { return strconv.FormatInt(unix, 10) }

// period is when a subscription's present period begins and ends.
func period(subscription object) [2]float64 {
	item := subscription["items"].(object)["data"].([]any)[0].(object)
	return [2]float64{item["current_period_start"].(float64), item["current_period_end"].(float64)}
}

// count is how many events of a type there were.
func count(w *world, kind string) (n int) {
	for _, e := range w.Events() {
		if e.Type == kind {
			n++
		}
	}
	return n
}
