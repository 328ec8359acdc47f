package gateway

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/view"
	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/proto/gen/serein/identity/v1/identityv1connect"
	"serein.app/services/platform/errs"
	"serein.app/services/testkit/issuer"
)

const generateBody = `{"title":"A kind evening","typeId":"gratitude","practiceId":"zen","sizeId":"reset","idempotencyKey":"0192f0c1-0000-7000-8000-0000000000ff"}`

var errAway = errs.New(errs.Unavailable, errorsv1.Reason_REASON_UNAVAILABLE, "Resting.")

// opens says whether the admin's page opens for a browser.
func (b *browser) opens(t *testing.T, path string) bool {
	t.Helper()
	got := b.get(t, path, "Accept", "text/html")
	if got.StatusCode == http.StatusFound {
		require.Equal(t, "/?return_to="+url.QueryEscape(path), got.Header.Get("Location"))
		return false
	}
	require.Equal(t, http.StatusOK, got.StatusCode)
	return true
}

func TestAProvidersAdminClaimOpensNothing(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.op.With(func(b *issuer.Behaviour) {
		b.Claims = map[string]any{"admin": true, "isGod": true, "roles": []string{"admin"}, "scope": "serein.user.read"}
	})
	b := s.member(t)
	require.NotContains(t, at(t, tree(t, b.call(t, getSession, "{}").body), "member"), "admin")
	require.NotContains(t, b.get(t, "/", "Accept", "text/html").body, "admin")
	require.False(t, b.opens(t, "/admin"))
}

func TestWhoIsAnAdminIsIdentitysWordAlone(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(s.uid(), true)
	b, other := s.member(t), s.other(t)
	require.Equal(t, true, at(t, tree(t, b.call(t, getSession, "{}").body), "member", "admin"))
	require.True(t, b.opens(t, "/admin"))
	require.False(t, other.opens(t, "/admin"))

	s.services.is(s.uid(), false)
	s.clock.Move(view.Wrong)
	require.False(t, b.opens(t, "/admin"), "two seconds later at the latest")
}

func TestIdentityIsNotAskedForEveryCallOfAnAdmin(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(s.uid(), true)
	b := s.member(t)
	for range 5 {
		b.own(t, http.MethodPost, "/api/sendMail", "{}").failed(t, http.StatusBadRequest, "INVALID_ARGUMENT")
	}
	require.Equal(t, 1, s.services.asks(identityv1connect.UserServiceGetUserProcedure))
	s.clock.Move(view.Wrong)
	b.own(t, http.MethodPost, "/api/sendMail", "{}")
	require.Equal(t, 2, s.services.asks(identityv1connect.UserServiceGetUserProcedure))
}

func TestWhoHasJustBecomeAnAdminNeedNotWait(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	b.own(t, http.MethodPost, "/api/sendMail", "{}").failed(t, http.StatusForbidden, "ADMIN_REQUIRED")
	require.False(t, b.opens(t, "/admin"))
	s.services.is(s.uid(), true)
	b.own(t, http.MethodPost, "/api/sendMail", "{}").failed(t, http.StatusBadRequest, "INVALID_ARGUMENT")
	require.True(t, b.opens(t, "/admin"), "a refusal is not remembered")
}

// shown is what a session's answer says of its member.
func (b *browser) shown(t *testing.T) any {
	t.Helper()
	return at(t, tree(t, b.call(t, getSession, "{}").body), "member")
}

// knows makes identity answer for a member with this record.
func (s *services) knows(u *identityv1.User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users[u.GetUid()] = u
}

func TestIdentityIsNotAskedForEveryPageOfAMember(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for range 3 {
		b.shown(t)
		b.get(t, "/journey", "Accept", "text/html")
	}
	require.Equal(t, 1, s.services.asks(identityv1connect.UserServiceGetUserProcedure))
	s.clock.Move(view.Wrong - time.Millisecond)
	b.shown(t)
	require.Equal(t, 1, s.services.asks(identityv1connect.UserServiceGetUserProcedure))
	s.clock.Move(time.Millisecond)
	b.shown(t)
	require.Equal(t, 2, s.services.asks(identityv1connect.UserServiceGetUserProcedure))
}

func TestAMissingConsentIsAskedForAnewAtEveryPage(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.knows(&identityv1.User{Uid: s.uid()})
	for range 2 {
		require.Equal(t, true, at(t, b.shown(t), "consentsMissing"))
	}
	require.Equal(t, 2, s.services.asks(identityv1connect.UserServiceGetUserProcedure))
	s.services.knows(user(s.uid(), false)) // given on another device
	require.NotContains(t, b.shown(t), "consentsMissing", "who has just agreed is not asked again")
}

func TestAMembersOwnConsentsAreReadBackAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	const update = "/serein.web.v1.ConsentService/UpdateConsents"
	body := `{"consents":{"terms":true,"essentials":true,"termsVersion":"` + termsVersion + `"}}`
	b.shown(t)
	require.Equal(t, http.StatusOK, b.call(t, update, body).StatusCode)
	b.shown(t)
	require.Equal(t, 2, s.services.asks(identityv1connect.UserServiceGetUserProcedure))

	s.services.failing(identityv1connect.ConsentServiceRecordConsentsProcedure, errAway)
	require.NotEqual(t, http.StatusOK, b.call(t, update, body).StatusCode)
	b.shown(t)
	require.Equal(t, 3, s.services.asks(identityv1connect.UserServiceGetUserProcedure), "it may have been recorded all the same")
}

func TestAWithdrawnAdminIsSoonShownAsNone(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.is(s.uid(), true)
	b := s.member(t)
	require.Equal(t, true, at(t, b.shown(t), "admin"))
	s.services.is(s.uid(), false)
	s.clock.Move(view.Wrong)
	require.NotContains(t, b.shown(t), "admin")
	require.False(t, b.opens(t, "/admin"), "what was just asked counts everywhere")
}

// library is a call for subscribers with the library.
const library = "/api/staticMeditations"

func TestOnlyAnEntitlementOpensWhatSubscribersHave(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	for name, c := range map[string]struct {
		plan   *billingv1.Subscription
		status int
	}{
		"a trial":               {trial(), http.StatusOK},
		"a plan of any name":    {&billingv1.Subscription{PlanId: "zzz", PlanName: "Enterprise digital hub", Active: true, Entitlements: []string{"library"}}, http.StatusOK},
		"another entitlement":   {&billingv1.Subscription{PlanId: "serein-premium", PlanName: "Premium", Active: true, Entitlements: []string{"generator"}}, http.StatusForbidden},
		"a plan that has ended": {&billingv1.Subscription{PlanId: "serein-premium", PlanName: "Premium"}, http.StatusForbidden},
		"no plan":               {nil, http.StatusForbidden},
	} {
		s.services.subscribed(s.uid(), c.plan)
		s.clock.Move(view.Wrong)
		got := b.own(t, http.MethodGet, library, "")
		require.Equal(t, c.status, got.StatusCode, name)
		if c.status == http.StatusForbidden {
			got.failed(t, c.status, "SUBSCRIPTION_REQUIRED")
		}
		require.Equal(t, c.status == http.StatusOK, b.opens(t, "/library"), name)
	}
}

// Credits that were bought never expire: a member with some makes meditations, with or without a plan.
func TestGenerateAsksForCreditsAndForNoPlan(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.subscribed(s.uid(), nil)
	require.Equal(t, http.StatusOK, b.call(t, generator+"Generate", generateBody).StatusCode)
}

func TestWhoHasJustPaidNeedNotWait(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.subscribed(s.uid(), nil)
	require.Equal(t, http.StatusForbidden, b.own(t, http.MethodGet, library, "").StatusCode)
	s.services.subscribed(s.uid(), trial())
	require.Equal(t, http.StatusOK, b.own(t, http.MethodGet, library, "").StatusCode, "a refusal is not remembered")

	s.services.subscribed(s.uid(), nil)
	require.Equal(t, http.StatusOK, b.own(t, http.MethodGet, library, "").StatusCode, "a right is, for two seconds")
	s.clock.Move(view.Wrong)
	require.Equal(t, http.StatusForbidden, b.own(t, http.MethodGet, library, "").StatusCode)
}

func TestARoleThatCannotBeAskedForOpensNoCall(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	s.services.failing(billingv1connect.AccountServiceGetAccountProcedure, errAway)
	b.own(t, http.MethodGet, library, "").failed(t, http.StatusServiceUnavailable, "UNAVAILABLE")
	require.True(t, b.opens(t, "/library"), "a page holds nothing that its calls do not guard")
}

func TestTheSessionTellsPlanRoleConsentsAndOffer(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	member := at(t, tree(t, b.call(t, getSession, "{}").body), "member")
	require.Equal(t, "PLAN_KIND_TRIAL", at(t, member, "plan", "kind"))
	require.Equal(t, []any{"generator", "library", "articles", "journey"}, at(t, member, "plan", "entitlements"))
	require.NotContains(t, member, "consentsMissing")
	offer := map[string]any{"days": 7.0, "invitedDays": 14.0, "credits": "8"}
	visitor := tree(t, s.gateways[0].browser(t).call(t, getSession, "{}").body)
	require.Equal(t, offer, visitor["trialOffer"], "visitors are told too")

	for _, missing := range []identityv1.ConsentKind{identityv1.ConsentKind_CONSENT_KIND_TERMS, identityv1.ConsentKind_CONSENT_KIND_ESSENTIALS} {
		asked := user(s.uid(), false)
		for _, c := range asked.GetConsents() {
			c.Given = c.GetKind() != missing
		}
		s.services.knows(asked)
		s.clock.Move(view.Wrong)
		require.Equal(t, true, at(t, b.shown(t), "consentsMissing"), missing)
	}

	older := user(s.uid(), false)
	for _, c := range older.GetConsents() {
		c.Version = privacyDate // as it was recorded while one date stood for both texts
	}
	s.services.knows(older)
	require.Equal(t, true, at(t, b.shown(t), "consentsMissing"), "the terms have changed since")

	s.services.failing(identityv1connect.UserServiceGetUserProcedure, errAway)
	s.services.failing(billingv1connect.PlanServiceListPlansProcedure, errAway)
	away := tree(t, b.call(t, getSession, "{}").body)
	require.NotContains(t, away["member"], "consentsMissing", "nobody is asked for what they may have given")
	require.Equal(t, "Ada", at(t, away, "member", "givenName"))
	require.Equal(t, offer, away["trialOffer"], "the last good copy")
}

func TestConsentsAreRecordedForTheCurrentTextsOnly(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	const consent = "/serein.web.v1.ConsentService/"
	require.Equal(t, termsVersion, at(t, tree(t, b.call(t, consent+"GetConsents", "{}").body), "consents", "termsVersion"))
	require.Equal(t, http.StatusUnauthorized, s.gateways[0].browser(t).call(t, consent+"GetConsents", "{}").StatusCode)

	got := b.call(t, consent+"UpdateConsents", `{"consents":{"terms":true,"essentials":true,"marketing":true,"termsVersion":"`+termsVersion+`"}}`)
	require.Equal(t, http.StatusOK, got.StatusCode, got.body)
	require.Equal(t, true, at(t, tree(t, got.body), "consents", "marketing"))
	said := map[identityv1.ConsentKind]string{}
	for _, a := range s.services.answers[0].GetAnswers() {
		said[a.GetKind()] = a.GetVersion()
		require.Equal(t, a.GetKind() != identityv1.ConsentKind_CONSENT_KIND_ANALYTICS, a.GetGiven(), "withdrawing is an answer too")
	}
	require.Equal(t, map[identityv1.ConsentKind]string{
		identityv1.ConsentKind_CONSENT_KIND_TERMS: termsVersion, identityv1.ConsentKind_CONSENT_KIND_ESSENTIALS: privacyDate,
		identityv1.ConsentKind_CONSENT_KIND_ANALYTICS: privacyDate, identityv1.ConsentKind_CONSENT_KIND_MARKETING: privacyDate,
	}, said)

	const elsewhere = "terms " + privacyDate + ", privacy " + privacyDate
	for body, reason := range map[string]string{
		`{"consents":{"terms":true}}`:                                                        "CONSENT_REQUIRED",
		`{"consents":{"essentials":true}}`:                                                   "CONSENT_REQUIRED",
		`{"consents":{"terms":true,"essentials":true}}`:                                      "INVALID_ARGUMENT",
		`{"consents":{"terms":true,"essentials":true,"termsVersion":"2020-01-01"}}`:          "INVALID_ARGUMENT",
		`{"consents":{"terms":true,"essentials":true,"termsVersion":"` + privacyDate + `"}}`: "INVALID_ARGUMENT",
		`{"consents":{"terms":true,"essentials":true,"termsVersion":"` + elsewhere + `"}}`:   "INVALID_ARGUMENT",
		`{}`: "INVALID_ARGUMENT",
	} {
		refused := b.call(t, consent+"UpdateConsents", body)
		require.Equal(t, http.StatusBadRequest, refused.StatusCode, body)
		require.Equal(t, reason, refused.reason(t), body)
	}
	require.Len(t, s.services.answers, 1)
}

func TestSignUpTakesOnlyTheCurrentVersionOfTheTerms(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	for _, version := range []string{
		"2020-01-01", termsDate, privacyDate, "", "latest", "terms " + termsDate + ", privacy " + termsDate,
		"terms 2099-01-01, privacy 2099-01-01", "privacy " + privacyDate + ", terms " + termsDate, termsVersion + " ",
	} {
		body, err := json.Marshal(map[string]any{
			"username": "ada", "email": "ada@example.org", "givenName": "Ada", "familyName": "Lovelace", "password": "long enough",
			"ageConfirmed": true, "termsVersion": version,
		})
		require.NoError(t, err)
		got := b.call(t, "/serein.web.v1.AccountService/SignUp", string(body))
		require.Equal(t, http.StatusBadRequest, got.StatusCode, version)
		require.Equal(t, "INVALID_ARGUMENT", got.reason(t))
	}
	require.Empty(t, s.services.signUps)
}

func TestUnknownMeditationsHaveNoPage(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.give(s.uid(), meditation(mine, 5))
	s.services.give(someone, meditation(theirs, 5))
	b, visitor := s.member(t), s.gateways[0].browser(t)
	page := func(who *browser, path string) int { return who.get(t, path, "Accept", "text/html").StatusCode }
	for _, parent := range []string{"/journey/", "/bespoke-meditation-generator/"} {
		require.Equal(t, http.StatusOK, page(b, parent+mine))
		require.Equal(t, http.StatusNotFound, page(b, parent+theirs))
		require.Equal(t, http.StatusNotFound, page(b, parent+"nonsense"))
		require.Equal(t, http.StatusNotFound, page(visitor, parent+"nonsense"))
	}
	require.Equal(t, http.StatusFound, page(visitor, "/journey/"+mine), "visitors are led home, whatever the id")
	require.Equal(t, http.StatusFound, page(visitor, "/journey/"+theirs))
	s.services.generation.Close()
	require.Equal(t, http.StatusOK, page(b, "/journey/"+theirs), "what cannot be told soon, the page itself tells")
}
