package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/session"
	"serein.app/services/platform/config"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit"
	"serein.app/services/testkit/clock"
	"serein.app/services/testkit/redistest"
)

// provider is an identity provider that does what the test says.
type provider struct {
	mu      sync.Mutex
	renew   func(n int, token string) (session.Grant, error)
	renewed int
	revoked []string
}

func (p *provider) Renew(_ context.Context, token string) (session.Grant, error) {
	p.mu.Lock()
	p.renewed++
	n, renew := p.renewed, p.renew
	p.mu.Unlock()
	return renew(n, token)
}

func (p *provider) Revoke(_ context.Context, token string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.revoked = append(p.revoked, token)
	return nil
}

func (p *provider) counts() (renewed int, revoked []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.renewed, append([]string(nil), p.revoked...)
}

type bundle struct {
	clock    *clock.Clock
	redis    *redistest.Server
	provider *provider
	here     *session.Sessions
	there    *session.Sessions // another replica
}

const accessLife = 5 * time.Minute

func setup(tb testing.TB) *bundle {
	tb.Helper()
	b := &bundle{clock: clock.New(), redis: redistest.New(tb), provider: &provider{}}
	b.provider.renew = func(n int, _ string) (session.Grant, error) { return b.grant(fmt.Sprintf("refresh-%d", n)), nil }
	b.here, b.there = b.replica(tb), b.replica(tb)
	return b
}

func (b *bundle) replica(tb testing.TB) *session.Sessions {
	tb.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: b.redis.Addr(), MaxRetries: -1, DisableIdentity: true})
	tb.Cleanup(func() { _ = rdb.Close() })
	cfg := session.Config{Secret: config.Secret(strings.Repeat("s", 32)), Idle: time.Hour, MaxAge: 24 * time.Hour}
	s, err := session.New(cfg, rdb, b.provider, testkit.Logger(tb), b.clock.Now)
	require.NoError(tb, err)
	return s
}

func (b *bundle) grant(refresh string) session.Grant {
	return session.Grant{
		Member:       session.Member{UID: "u-1", GivenName: "Ada"},
		RefreshToken: refresh, AccessEnds: b.clock.Now().Add(accessLife),
	}
}

func (b *bundle) signIn(t *testing.T) string {
	t.Helper()
	id, _, err := b.here.Create(t.Context(), b.grant("refresh-0"))
	require.NoError(t, err)
	return id
}

func TestRedisHoldsNeitherIDNorTokenInTheClear(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	dump := b.redis.Dump()
	require.NotContains(t, dump, id)
	require.NotContains(t, dump, "refresh-0")
	require.NotContains(t, dump, "Ada")
	require.Contains(t, dump, session.Hash(id))

	got, err := b.there.Check(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, "Ada", got.Member.GivenName)
}

func TestACheckCostsOneRoundTripAndThenNoneForASecond(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	_, err := b.there.Check(t.Context(), id) // opens the connection
	require.NoError(t, err)
	b.clock.Move(time.Second)

	before := b.redis.CommandCount()
	for range 100 {
		_, err := b.there.Check(t.Context(), id)
		require.NoError(t, err)
	}
	require.Equal(t, 1, b.redis.CommandCount()-before)
}

func TestJunkIDsCostNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before := b.redis.CommandCount()
	for _, id := range []string{"", "short", strings.Repeat("a", 44), strings.Repeat("*", 43), strings.Repeat("a", 42) + "\n"} {
		_, err := b.here.Check(t.Context(), id)
		require.ErrorIs(t, err, session.ErrNone)
		require.NoError(t, b.here.End(t.Context(), id))
	}
	require.Equal(t, before, b.redis.CommandCount())
}

func TestFiftyCallsAtExpiryOnTwoReplicasMakeOneTokenRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	b.clock.Move(accessLife + time.Second)
	release := make(chan struct{})
	b.provider.renew = func(int, string) (session.Grant, error) {
		<-release
		return b.grant("refresh-1"), nil
	}
	var all sync.WaitGroup
	started := make(chan struct{}, 50)
	failures := make(chan error, 50)
	for i := range 50 {
		replica := []*session.Sessions{b.here, b.there}[i%2]
		all.Go(func() {
			started <- struct{}{}
			got, err := replica.Check(t.Context(), id)
			if err == nil && got.Member.UID != "u-1" {
				err = errors.New("another member")
			}
			failures <- err
		})
	}
	for range 50 {
		<-started
	}
	close(release)
	all.Wait()
	for range 50 {
		require.NoError(t, <-failures)
	}
	renewed, _ := b.provider.counts()
	require.Equal(t, 1, renewed)
}

func TestRenewalBeginsAMinuteBeforeTheEndAndNobodyWaitsForIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	b.clock.Move(accessLife - 61*time.Second)
	_, err := b.here.Check(t.Context(), id)
	require.NoError(t, err)
	renewed, _ := b.provider.counts()
	require.Zero(t, renewed, "not yet due")

	release := make(chan struct{})
	b.provider.renew = func(int, string) (session.Grant, error) {
		<-release
		return b.grant("refresh-1"), nil
	}
	b.clock.Move(2 * time.Second)
	_, err = b.here.Check(t.Context(), id)
	require.NoError(t, err, "answered while the provider thinks")
	close(release)

	b.clock.Move(2 * time.Minute) // past the first access token's end
	require.Eventually(t, func() bool {
		_, err := b.there.Check(t.Context(), id)
		return err == nil
	}, testkit.Patience, 5*time.Millisecond)
	renewed, _ = b.provider.counts()
	require.Equal(t, 1, renewed)
}

func TestARefusedRefreshTokenEndsTheSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	b.provider.renew = func(int, string) (session.Grant, error) { return session.Grant{}, session.ErrRefused }
	b.clock.Move(accessLife + time.Second)
	for _, replica := range []*session.Sessions{b.here, b.there} {
		_, err := replica.Check(t.Context(), id)
		require.ErrorIs(t, err, session.ErrNone)
	}
	require.False(t, b.redis.Exists("serein:session:"+session.Hash(id)))
}

func TestAProviderThatIsAwayEndsNoSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	honest := b.provider.renew
	b.provider.renew = func(int, string) (session.Grant, error) { return session.Grant{}, errors.New("connection refused") }

	b.clock.Move(accessLife - 30*time.Second)
	_, err := b.here.Check(t.Context(), id)
	require.NoError(t, err, "its last word still holds")

	b.clock.Move(time.Minute)
	_, err = b.here.Check(t.Context(), id)
	require.ErrorIs(t, err, session.ErrUnsure, "its last word has run out: refused, but kept")
	_, err = b.there.Check(t.Context(), id)
	require.ErrorIs(t, err, session.ErrUnsure)

	b.provider.mu.Lock()
	b.provider.renew = honest
	b.provider.mu.Unlock()
	b.redis.FastForward(6 * time.Second) // the pause after a failure is over
	_, err = b.here.Check(t.Context(), id)
	require.NoError(t, err)
}

func TestWhileTheProviderIsAwayItIsNotAskedByEveryCall(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	b.provider.renew = func(int, string) (session.Grant, error) { return session.Grant{}, errors.New("connection refused") }
	b.clock.Move(accessLife + time.Second)
	for range 20 {
		_, err := b.here.Check(t.Context(), id)
		require.ErrorIs(t, err, session.ErrUnsure)
		_, err = b.there.Check(t.Context(), id)
		require.ErrorIs(t, err, session.ErrUnsure)
	}
	renewed, _ := b.provider.counts()
	require.Equal(t, 1, renewed)
}

func TestSignOutDuringARenewalStaysSignedOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	asked, release := make(chan struct{}), make(chan struct{})
	b.provider.renew = func(int, string) (session.Grant, error) {
		close(asked)
		<-release
		return b.grant("refresh-1"), nil
	}
	b.clock.Move(accessLife + time.Second)
	checked := make(chan error, 1)
	go func() {
		_, err := b.here.Check(t.Context(), id)
		checked <- err
	}()
	<-asked
	require.NoError(t, b.there.End(t.Context(), id))
	close(release)
	require.ErrorIs(t, <-checked, session.ErrNone)
	_, err := b.here.Check(t.Context(), id)
	require.ErrorIs(t, err, session.ErrNone)
	_, revoked := b.provider.counts()
	require.ElementsMatch(t, []string{"refresh-0", "refresh-1"}, revoked)
}

func TestSignOutHoldsHereAtOnceAndElsewhereWithinASecond(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	for _, replica := range []*session.Sessions{b.here, b.there} {
		_, err := replica.Check(t.Context(), id)
		require.NoError(t, err)
	}
	require.NoError(t, b.here.End(t.Context(), id))
	_, err := b.here.Check(t.Context(), id)
	require.ErrorIs(t, err, session.ErrNone)
	b.clock.Move(time.Second)
	_, err = b.there.Check(t.Context(), id)
	require.ErrorIs(t, err, session.ErrNone)
	_, revoked := b.provider.counts()
	require.Equal(t, []string{"refresh-0"}, revoked)
}

func TestASessionEndsWhenUnusedAndAtItsGreatestAge(t *testing.T) {
	t.Parallel()
	t.Run("unused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.signIn(t)
		b.redis.FastForward(59 * time.Minute)
		b.clock.Move(2 * time.Second)
		_, err := b.here.Check(t.Context(), id)
		require.NoError(t, err)
		b.redis.FastForward(59 * time.Minute)
		b.clock.Move(2 * time.Second)
		_, err = b.here.Check(t.Context(), id)
		require.NoError(t, err, "use restarts the idle time")
		b.redis.FastForward(61 * time.Minute)
		b.clock.Move(2 * time.Second)
		_, err = b.here.Check(t.Context(), id)
		require.ErrorIs(t, err, session.ErrNone)
	})
	t.Run("greatest age", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.signIn(t)
		b.clock.Move(24*time.Hour - time.Second)
		_, err := b.here.Check(t.Context(), id)
		require.NoError(t, err)
		b.clock.Move(2 * time.Second)
		_, err = b.here.Check(t.Context(), id)
		require.ErrorIs(t, err, session.ErrNone)
		_, revoked := b.provider.counts()
		require.Equal(t, []string{"refresh-1"}, revoked)
	})
}

func TestWithoutRedisNobodyIsBelievedAndNobodyIsSignedOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	b.redis.SetError("LOADING")
	_, err := b.here.Check(t.Context(), id)
	require.ErrorIs(t, err, session.ErrUnsure)
	require.ErrorIs(t, b.here.End(t.Context(), id), session.ErrUnsure)
	b.redis.SetError("")
	b.clock.Move(time.Second) // Redis is left alone for so long
	_, err = b.here.Check(t.Context(), id)
	require.NoError(t, err)
}

// A Redis that accepts and never answers would cost every call all the time that a check may take.
func TestARedisThatDoesNotAnswerIsLeftAloneForASecond(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, two := b.signIn(t), b.signIn(t)
	b.redis.SetError("LOADING")
	_, err := b.here.Check(t.Context(), one)
	require.ErrorIs(t, err, session.ErrUnsure)
	b.redis.SetError("")
	b.clock.Move(time.Second - time.Millisecond)
	_, err = b.here.Check(t.Context(), two)
	require.ErrorIs(t, err, session.ErrUnsure, "not asked")
	b.clock.Move(time.Millisecond)
	_, err = b.here.Check(t.Context(), two)
	require.NoError(t, err)
}

func TestARecordIsWorthlessInAnotherPlace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	mine, other := b.signIn(t), session.NewID()
	value, err := b.redis.Get("serein:session:" + session.Hash(mine))
	require.NoError(t, err)
	require.NoError(t, b.redis.Set("serein:session:"+session.Hash(other), value))
	_, err = b.here.Check(t.Context(), other)
	require.ErrorIs(t, err, session.ErrNone)
}

func TestARenewalThatNamesAnotherMemberEndsTheSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	b.provider.renew = func(int, string) (session.Grant, error) {
		g := b.grant("refresh-1")
		g.Member.UID = "u-2"
		return g, nil
	}
	b.clock.Move(accessLife + time.Second)
	_, err := b.here.Check(t.Context(), id)
	require.ErrorIs(t, err, session.ErrNone)
}

func TestARenewalWithoutAnIDTokenKeepsTheMember(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	b.provider.renew = func(int, string) (session.Grant, error) {
		return session.Grant{AccessEnds: b.clock.Now().Add(accessLife)}, nil // nor a new refresh token
	}
	b.clock.Move(accessLife + time.Second)
	got, err := b.here.Check(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, "Ada", got.Member.GivenName)
	require.NoError(t, b.here.End(t.Context(), id))
	_, revoked := b.provider.counts()
	require.Equal(t, []string{"refresh-0"}, revoked)
}

func TestACallerThatLeavesDoesNotSpoilTheCheckForOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signIn(t)
	b.clock.Move(accessLife + time.Second)
	asked, release := make(chan struct{}), make(chan struct{})
	b.provider.renew = func(int, string) (session.Grant, error) {
		close(asked)
		<-release
		return b.grant("refresh-1"), nil
	}
	impatient, leave := context.WithCancel(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { _, err := b.here.Check(impatient, id); first <- err }()
	<-asked
	go func() { _, err := b.here.Check(t.Context(), id); second <- err }()
	leave()
	require.ErrorIs(t, <-first, context.Canceled)
	close(release)
	require.NoError(t, <-second)
}

// signInBy signs in by a session of the provider.
func (b *bundle) signInBy(t *testing.T, sid string) string {
	t.Helper()
	g := b.grant("refresh-0")
	g.SID = sid
	id, _, err := b.here.Create(t.Context(), g)
	require.NoError(t, err)
	return id
}

func TestASessionEndedAtTheProviderEndsAllThatCameOfItAndNoOther(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, two, other, none := b.signInBy(t, "sid-1"), b.signInBy(t, "sid-1"), b.signInBy(t, "sid-2"), b.signIn(t)
	for _, id := range []string{one, two, other, none} {
		for _, replica := range []*session.Sessions{b.here, b.there} {
			_, err := replica.Check(t.Context(), id)
			require.NoError(t, err)
		}
	}
	require.NoError(t, b.there.EndProvided(t.Context(), "u-2", "sid-1"), "another member's word")
	b.clock.Move(time.Second)
	_, err := b.here.Check(t.Context(), one)
	require.NoError(t, err)

	require.NoError(t, b.there.EndProvided(t.Context(), "u-1", ""))
	require.NoError(t, b.there.EndProvided(t.Context(), "u-1", "sid-1"))
	require.NoError(t, b.there.EndProvided(t.Context(), "u-1", "sid-1"), "the event may come twice")
	b.clock.Move(time.Second)
	for id, want := range map[string]error{one: session.ErrNone, two: session.ErrNone, other: nil, none: nil} {
		for _, replica := range []*session.Sessions{b.here, b.there} {
			_, err := replica.Check(t.Context(), id)
			require.ErrorIs(t, err, want)
		}
	}
}

// The member signs out at the provider while their sign-in here is on its way.
func TestASessionOfOneThatHasEndedAtTheProviderIsNotMade(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.there.EndProvided(t.Context(), "u-1", "sid-1"))
	g := b.grant("refresh-0")
	g.SID = "sid-1"
	_, _, err := b.here.Create(t.Context(), g)
	require.ErrorIs(t, err, session.ErrNone)
	require.NotContains(t, b.redis.Dump(), "serein:session:")
	_, revoked := b.provider.counts()
	require.Equal(t, []string{"refresh-0"}, revoked)
}

// The event comes again until Redis is back.
func TestAnEndAtTheProviderIsNotDoneWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.signInBy(t, "sid-1")
	b.redis.SetError("LOADING")
	require.Equal(t, errs.Unavailable, errs.KindOf(b.here.EndProvided(t.Context(), "u-1", "sid-1")))
	b.redis.SetError("")
	require.NoError(t, b.here.EndProvided(t.Context(), "u-1", "sid-1"))
	_, err := b.here.Check(t.Context(), id)
	require.ErrorIs(t, err, session.ErrNone)
}

func TestAMembersSessionsUpToATimeEndAndLaterOnesGoOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	signIn := func(uid string, issued time.Time) string {
		g := b.grant("refresh-0")
		g.Member.UID, g.IssuedAt = uid, issued
		id, _, err := b.here.Create(t.Context(), g)
		require.NoError(t, err)
		return id
	}
	then := b.clock.Now()
	before, at, later, another := signIn("u-1", then.Add(-time.Hour)), signIn("u-1", then), signIn("u-1", then.Add(time.Second)), signIn("u-2", then)
	require.NoError(t, b.there.EndMember(t.Context(), "u-1", then))
	require.NoError(t, b.there.EndMember(t.Context(), "u-1", then.Add(-time.Minute)), "an older word changes nothing")
	b.clock.Move(time.Second)
	for id, want := range map[string]error{before: session.ErrNone, at: session.ErrNone, later: nil, another: nil} {
		_, err := b.here.Check(t.Context(), id)
		require.ErrorIs(t, err, want)
	}
	g := b.grant("refresh-0")
	g.IssuedAt = then
	_, _, err := b.here.Create(t.Context(), g)
	require.ErrorIs(t, err, session.ErrNone, "one that was on its way")
	signIn("u-1", then.Add(2*time.Second))
}
