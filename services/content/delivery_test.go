package content

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/config"
	"serein.app/services/testkit"
	"serein.app/services/testkit/freeport"
)

const readToken = "a-read-token-of-at-least-32-characters"

// startDelivery runs the service with the delivery API, and gives the API's address.
func startDelivery(t *testing.T, tokens config.Secret) (h *harness, public string) {
	t.Helper()
	port, err := freeport.New()
	require.NoError(t, err)
	public = fmt.Sprintf("127.0.0.1:%d", port)
	h = startWith(t, t.TempDir(), fakeSynthesiser{}, func(c *Config) {
		c.Delivery = DeliveryConfig{
			Tokens: tokens, Addr: public, Space: "serein", SpaceName: "Serein", Secret: config.Secret(strings.Repeat("d", 32)), PerSecond: 100,
		}
	})
	return h, "http://" + public
}

func read(t *testing.T, address string) (int, map[string]any) {
	t.Helper()
	status, body, err := ask(t.Context(), address)
	require.NoError(t, err)
	return status, body
}

func ask(ctx context.Context, address string) (status int, body map[string]any, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+readToken)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = res.Body.Close() }()
	err = json.NewDecoder(res.Body).Decode(&body)
	return res.StatusCode, body, err
}

func TestReadersReachTheDeliveryAPIOnItsOwnListenerAndNothingElseThere(t *testing.T) {
	t.Parallel()
	h, public := startDelivery(t, readToken)
	status, body := read(t, public+"/spaces/serein/environments/master/sync?initial=true&type=Asset")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body["nextSyncUrl"], public+"/spaces/serein/environments/master/sync?sync_token=")
	for _, path := range []string{"/metrics", "/readyz", "/media/tracks/warm.mp3", "/serein.content.v1.CatalogueService/GetCatalogue"} {
		status, body := read(t, public+path)
		require.Equal(t, http.StatusNotFound, status, path)
		require.Equal(t, map[string]any{"type": "Error", "id": "NotFound"}, body["sys"], path)
	}
	require.Equal(t, http.StatusNotFound, h.get("/spaces/serein/environments/master/entries", "gateway", nil).StatusCode)
}

func TestCostlyQueriesOfReadersHoldUpNoMember(t *testing.T) {
	t.Parallel()
	h, public := startDelivery(t, readToken)
	// As costly as can be: nothing reads concepts while they are locked, whatever it asks for.
	lock, err := h.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = lock.Rollback(context.WithoutCancel(t.Context())) }()
	_, err = lock.Exec(t.Context(), "LOCK TABLE concepts IN ACCESS EXCLUSIVE MODE")
	require.NoError(t, err)
	const requests = 20
	ids := make(chan any, requests)
	for range requests {
		go func() {
			_, body, err := ask(t.Context(), public+"/spaces/serein/environments/master/taxonomy/concepts")
			sys, _ := body["sys"].(map[string]any)
			if ids <- sys["id"]; err != nil {
				t.Error(err)
			}
		}()
	}
	waiting := func() (n int) {
		require.NoError(t, h.db.Pool.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&n))
		return n
	}
	require.Eventually(t, func() bool { return waiting() > 0 }, testkit.Patience, time.Millisecond)
	require.LessOrEqual(t, waiting(), 2, "the connections of members are free")
	_, err = h.search(auth.WithMember(t.Context(), uuid.NewString()), "gateway", &contentv1.SearchRequest{Text: "sleep"})
	require.NoError(t, err)
	counted := map[any]int{}
	for range requests {
		counted[<-ids]++
	}
	require.NotZero(t, counted["BadRequest"], "what takes too long is refused")
	require.NotZero(t, counted["RateLimitExceeded"], "what waits too long is to come again")
	require.Equal(t, requests, counted["BadRequest"]+counted["RateLimitExceeded"], "%v", counted)
}

func TestWithoutReadTokensThereIsNoDeliveryAPI(t *testing.T) {
	t.Parallel()
	_, public := startDelivery(t, "")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, public, nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	if err == nil {
		require.NoError(t, res.Body.Close())
	}
	require.ErrorContains(t, err, "refused")
}

func TestADeliveryAPIThatCannotWorkDoesNotStart(t *testing.T) {
	t.Parallel()
	good := DeliveryConfig{Tokens: readToken, Secret: config.Secret(strings.Repeat("d", 32)), PerSecond: 55}
	require.NoError(t, good.Validate())
	require.NoError(t, DeliveryConfig{}.Validate())
	for name, change := range map[string]func(*DeliveryConfig){
		"DELIVERY_TOKENS":     func(c *DeliveryConfig) { c.Tokens = readToken + ",short" },
		"DELIVERY_SECRET":     func(c *DeliveryConfig) { c.Secret = "" },
		"DELIVERY_PER_SECOND": func(c *DeliveryConfig) { c.PerSecond = 0 },
		"DELIVERY_URL":        func(c *DeliveryConfig) { c.URL = "http://elsewhere.example" },
		"TRUSTED_PROXIES":     func(c *DeliveryConfig) { c.TrustedProxies = "nobody" },
	} {
		wrong := good
		change(&wrong)
		err := wrong.Validate()
		require.ErrorContains(t, err, name)
		require.NotContains(t, err.Error(), readToken)
	}
}

func TestAListOfTheDeliveryAPIIsCompressedForClientsThatAcceptIt(t *testing.T) {
	t.Parallel()
	_, public := startDelivery(t, readToken)
	for encoding, want := range map[string]string{"gzip": "gzip", "identity": ""} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, public+"/spaces/serein/content_types", nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+readToken)
		req.Header.Set("Accept-Encoding", encoding)
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, want, res.Header.Get("Content-Encoding"))
		require.Contains(t, strings.Join(res.Header.Values("Vary"), ","), "Accept-Encoding")
	}
}
