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
	"serein.app/services/platform/pause"
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
	return func(_ *Config, p *settings) {
		rdb, err := openRedis(config.URL("redis://" + addr))
		require.NoError(t, err)
		t.Cleanup(func() { _ = rdb.Close() })
		tel, err := telemetry.SetupTo(t.Context(), "test", log)
		require.NoError(t, err)
		p.redis, p.tel = redis.UniversalClient(rdb), tel
	}
}

// aQuestion is how many connections one question to Redis makes: go-redis tries once more.
const aQuestion = 2

func TestWithASilentRedisVisitorsGoOnAndMembersAreToldSoon(t *testing.T) {
	t.Parallel()
	log := &written{}
	s := start(t, 1)
	member := s.member(t)
	silent, asked := testkit.CountedSilent(t)
	without := s.replica(t, withRedis(t, silent, log))
	visitor := without.browser(t)
	for range 5 {
		for _, path := range []string{"/", "/about", "/bespoke-meditation-generator", "/api/openapi.json"} {
			require.Equal(t, http.StatusOK, visitor.get(t, path).StatusCode, path)
		}
		for _, call := range []string{getSession, generator + "GetGenerator", memberships} {
			require.Equal(t, http.StatusOK, visitor.call(t, call, "{}").StatusCode, call)
		}
	}
	require.Zero(t, asked(), "visitors wait for no Redis")

	member = &browser{Client: member.Client, base: without.URL}
	var calls sync.WaitGroup
	for range 50 {
		calls.Go(func() {
			got, err := member.tryCall(context.Background(), "/serein.web.v1.JourneyService/ListBespoke", "{}")
			if err != nil || got.StatusCode != http.StatusServiceUnavailable || !strings.Contains(got.body, "SESSION_UNCERTAIN") {
				t.Errorf("%v %s", err, got.body)
			}
		})
	}
	calls.Wait()
	require.LessOrEqual(t, asked(), aQuestion, "all members wait for one question, which ends by its own time")
	got := member.call(t, "/serein.web.v1.JourneyService/ListBespoke", "{}")
	require.Equal(t, http.StatusServiceUnavailable, got.StatusCode)
	require.Contains(t, got.body, "We couldn’t check your sign-in.")
	shown := member.get(t, "/journey", "Accept", "text/html")
	require.Equal(t, http.StatusOK, shown.StatusCode)
	require.Contains(t, shown.body, `id="boot">null<`, "nobody is made a visitor: the app asks who it is")
	require.LessOrEqual(t, asked(), aQuestion, "who comes next waits for nothing")
	require.LessOrEqual(t, len(log.lines()), 5, strings.Join(log.lines(), "\n"))
}

// What a page can be shown without is left out where it does not come: it never does here, so that nothing but the gateway's own
// times ends the wait.
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
	member := b.shown(t)
	require.Equal(t, "Ada", at(t, member, "givenName"))
	require.NotContains(t, member, "credits")
	require.Contains(t, b.get(t, "/journey", "Accept", "text/html").body, `"givenName":"Ada"`)
	require.Equal(t, http.StatusOK, b.call(t, "/serein.web.v1.JourneyService/ListBespoke", "{}").StatusCode, "the list needs the catalogue for names alone")
	before := s.services.counted()
	require.Equal(t, http.StatusOK, s.gateways[0].browser(t).get(t, "/icon.svg").StatusCode)
	require.Equal(t, before, s.services.counted(), "who needs none of them asks none")
}

// The parts of a page have their second together: each is answered only when all of them have been asked for, so of a page that asked for
// one after the other some would always be missing.
func TestThePartsOfAPageAreAskedForTogether(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	require.Equal(t, termsVersion, b.shownVersion(t), "whom to ask for consent needs it first")
	require.Eventually(t, func() bool {
		s.clock.Move(time.Minute) // all of it is asked for
		s.services.together(
			billingv1connect.AccountServiceGetAccountProcedure, generationv1connect.MeditationServiceCountMeditationsProcedure, getText,
		)
		got, err := b.tryCall(t.Context(), getSession, "{}")
		if err != nil || !s.services.met() {
			return false
		}
		session := tree(t, got.body)
		member, _ := session["member"].(map[string]any)
		return member["credits"] != nil && session["termsVersion"] != nil
	}, patience, time.Millisecond)
}

// An issuer that never answers costs a sign-in its time, and nobody else anything.
func TestASilentIssuerCostsSignInsAlone(t *testing.T) {
	t.Parallel()
	silent, asked := testkit.CountedSilent(t)
	s := start(t, 1, func(c *Config, _ *settings) { c.Login.Issuer = "http://" + silent })
	b := s.gateways[0].browser(t)
	pages := func() {
		require.Equal(t, http.StatusOK, b.get(t, "/").StatusCode)
		require.Equal(t, http.StatusOK, b.call(t, getSession, "{}").StatusCode)
	}
	pages()
	require.Zero(t, asked(), "a page needs no issuer")
	var signIns sync.WaitGroup
	defer signIns.Wait() // the issuer ends none of them
	require.Eventually(t, func() bool {
		s.clock.Move(longestPause)
		before, ended := asked(), make(chan struct{}, 3)
		for range cap(ended) {
			signIns.Go(func() {
				_, _ = b.try(context.Background(), http.MethodGet, "/auth/sign-in", nil)
				ended <- struct{}{}
			})
		}
		for asked() == before && len(ended) == 0 {
			require.NoError(t, pause.For(t.Context(), time.Millisecond))
		}
		for range 5 {
			pages()
		}
		return len(ended) == 0 // on a slow machine a sign-in may have had its time meanwhile
	}, patience, time.Millisecond, "pages are answered while sign-ins wait")
}
