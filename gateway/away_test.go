package gateway

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/platform/config"
	"serein.app/services/platform/telemetry"
	"serein.app/services/testkit"
)

// written is a log.
type written struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *written) lines() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Split(strings.TrimSpace(w.text.String()), "\n")
}

// withRedis makes a gateway talk to the Redis at an address as a real one does, and keeps its log.
func withRedis(t *testing.T, addr string, log *written) options {
	t.Helper()
	return func(_ *Config, p *parts) {
		rdb, err := openRedis(config.URL("redis://" + addr))
		require.NoError(t, err)
		t.Cleanup(func() { _ = rdb.Close() })
		tel, err := telemetry.SetupTo(t.Context(), "test", log)
		require.NoError(t, err)
		p.redis, p.tel = redis.UniversalClient(rdb), tel
	}
}

// atMost fails a test whose call takes longer.
func atMost(t *testing.T, limit time.Duration, what string, call func()) {
	t.Helper()
	began := time.Now()
	call()
	require.Less(t, time.Since(began), limit, what)
}

// sessionTime is what a check of a session may take when Redis is silent, and some for the machine.
const sessionTime = 4 * time.Second

func TestWithASilentRedisVisitorsGoOnAndMembersAreToldSoon(t *testing.T) {
	t.Parallel()
	log := &written{}
	s := start(t, 1)
	member := s.member(t)
	without := s.replica(t, withRedis(t, testkit.Silent(t), log))
	visitor := without.browser(t)
	for range 5 {
		for _, path := range []string{"/", "/about", "/bespoke-meditation-generator", "/api/openapi.json"} {
			atMost(t, time.Second, path, func() { require.Equal(t, http.StatusOK, visitor.get(t, path).StatusCode) })
		}
		for _, call := range []string{getSession, generator + "GetGenerator", memberships} {
			atMost(t, time.Second, call, func() { require.Equal(t, http.StatusOK, visitor.call(t, call, "{}").StatusCode) })
		}
	}

	member = &browser{Client: member.Client, base: without.URL}
	var calls sync.WaitGroup
	atMost(t, sessionTime, "all members together", func() {
		for range 50 {
			calls.Go(func() {
				got, err := member.tryCall(context.Background(), "/serein.web.v1.JourneyService/ListBespoke", "{}")
				if err != nil || got.StatusCode != http.StatusServiceUnavailable || !strings.Contains(got.body, "SESSION_UNCERTAIN") {
					t.Errorf("%v %s", err, got.body)
				}
			})
		}
		calls.Wait()
	})
	atMost(t, time.Second, "who comes next", func() {
		got := member.call(t, "/serein.web.v1.JourneyService/ListBespoke", "{}")
		require.Equal(t, http.StatusServiceUnavailable, got.StatusCode)
		require.Contains(t, got.body, "We could not check your sign-in just now.")
	})
	atMost(t, sessionTime, "a member's page", func() {
		shown := member.get(t, "/journey", "Accept", "text/html")
		require.Equal(t, http.StatusOK, shown.StatusCode)
		require.Contains(t, shown.body, `id="boot">null<`, "nobody is made a visitor: the app asks who it is")
	})
	require.LessOrEqual(t, len(log.lines()), 5, strings.Join(log.lines(), "\n"))
}

// Each part of a page has its second, and they have it together; a call has its ten.
func TestSilentServicesCostTheirOwnCallersAtMostTheirTime(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for _, procedure := range []string{
		identityv1connect.UserServiceGetUserProcedure, billingv1connect.AccountServiceGetAccountProcedure, billingv1connect.PlanServiceListPlansProcedure,
		generationv1connect.MeditationServiceCountMeditationsProcedure, contentv1connect.CatalogueServiceGetCatalogueProcedure, getText,
	} {
		s.services.hanging(procedure)
	}
	atMost(t, 3*partTimes, "the session", func() {
		member := b.shown(t)
		require.Equal(t, "Ada", at(t, member, "givenName"))
		require.NotContains(t, member, "credits")
	})
	atMost(t, 3*partTimes, "the page", func() {
		require.Contains(t, b.get(t, "/journey", "Accept", "text/html").body, `"givenName":"Ada"`)
	})
	atMost(t, 3*partTimes, "the list, which needs the catalogue for names alone", func() {
		require.Equal(t, http.StatusOK, b.call(t, "/serein.web.v1.JourneyService/ListBespoke", "{}").StatusCode)
	})
	atMost(t, time.Second, "who needs none of them", func() {
		require.Equal(t, http.StatusOK, s.gateways[0].browser(t).get(t, "/icon.svg").StatusCode)
	})
}

// partTimes is what a page waits for its parts.
const partTimes = time.Second

// An issuer that never answers costs a sign-in its time, and nobody else anything.
func TestASilentIssuerCostsSignInsAlone(t *testing.T) {
	t.Parallel()
	issuer := "http://" + testkit.Silent(t)
	s := start(t, 1, func(c *Config, _ *parts) { c.Login.Issuer = issuer })
	b := s.gateways[0].browser(t)
	signIns := make(chan time.Duration, 3)
	for range cap(signIns) {
		go func() {
			began := time.Now()
			_, _ = b.try(context.Background(), http.MethodGet, "/auth/sign-in", nil)
			signIns <- time.Since(began)
		}()
	}
	for range 5 {
		atMost(t, time.Second, "a page meanwhile", func() { require.Equal(t, http.StatusOK, b.get(t, "/").StatusCode) })
		atMost(t, time.Second, "a call meanwhile", func() { require.Equal(t, http.StatusOK, b.call(t, getSession, "{}").StatusCode) })
	}
	for range cap(signIns) {
		require.Less(t, <-signIns, 15*time.Second, "a request to the provider has ten")
	}
}
