package gateway

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

const (
	signUpCall     = "/serein.web.v1.AccountService/SignUp"
	updateConsents = "/serein.web.v1.ConsentService/UpdateConsents"
	getText        = contentv1connect.PageServiceGetTextProcedure

	newerTerms   = "terms 2026-12-24, privacy " + privacyDate
	newerPrivacy = "terms 2026-12-24, privacy 2026-12-25"

	// versionsLife is how long the gateway may go by the versions that it has, versionsPause how long it leaves content
	// alone that did not name them.
	versionsLife, versionsPause = 5 * time.Second, 2 * time.Second
)

// publishes makes content have another version of a text.
func (s *services) publishes(text, version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.versions[text] = version
}

// shownVersion is the version that the session names, which a member who agrees now agrees to.
func (b *browser) shownVersion(t *testing.T) any {
	t.Helper()
	return tree(t, b.call(t, getSession, "{}").body)["termsVersion"]
}

// joins signs somebody up who agrees to that version.
func (b *browser) joins(t *testing.T, version string) answer {
	t.Helper()
	return b.call(t, signUpCall, strings.Replace(signUp, termsVersion, version, 1))
}

// agrees consents to that version.
func (b *browser) agrees(t *testing.T, version string) answer {
	t.Helper()
	return b.call(t, updateConsents, `{"consents":{"terms":true,"essentials":true,"termsVersion":"`+version+`"}}`)
}

func (a answer) refused(t *testing.T, status int, reason string) {
	t.Helper()
	require.Equal(t, status, a.StatusCode, a.body)
	require.Equal(t, reason, a.reason(t), a.body)
}

func TestWhatIsPublishedIsWhatIsAgreedTo(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	member, visitor := s.member(t), s.gateways[0].browser(t)
	for _, b := range []*browser{member, visitor} {
		require.Equal(t, termsVersion, b.shownVersion(t))
		require.Contains(t, b.get(t, "/").body, `"termsVersion":"`+termsVersion+`"`, "without a call too")
	}
	require.Equal(t, http.StatusOK, visitor.joins(t, termsVersion).StatusCode)
	require.NotContains(t, member.shown(t), "consentsMissing")
	require.Equal(t, 2, s.services.asks(getText), "each text once")

	s.services.publishes("terms", "2026-12-24")
	s.clock.Move(versionsLife)
	visitor.joins(t, termsVersion).refused(t, http.StatusBadRequest, "INVALID_ARGUMENT")
	require.Equal(t, http.StatusOK, visitor.joins(t, newerTerms).StatusCode)
	require.Equal(t, newerTerms, visitor.shownVersion(t))
	require.Equal(t, true, at(t, member.shown(t), "consentsMissing"), "members are asked again")
	require.Contains(t, member.get(t, "/").body, `"consentsMissing":true`)

	s.services.publishes("privacy", "2026-12-25")
	s.clock.Move(versionsLife)
	for _, before := range []string{termsVersion, newerTerms} {
		member.agrees(t, before).refused(t, http.StatusBadRequest, "INVALID_ARGUMENT")
	}
	require.Equal(t, http.StatusOK, member.agrees(t, newerPrivacy).StatusCode)
	require.Equal(t, newerPrivacy, s.services.answers[0].GetAnswers()[0].GetVersion())
	require.Equal(t, "2026-12-25", s.services.answers[0].GetAnswers()[1].GetVersion())
	agreed := user(s.uid(), false)
	for _, c := range agreed.GetConsents() {
		c.Version = newerPrivacy
	}
	s.services.knows(agreed)
	require.NotContains(t, member.shown(t), "consentsMissing")
	require.Len(t, s.services.signUps, 2)
}

func TestWhileContentIsAwayTheTextsThatWereLastPublishedAreAgreedTo(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b := s.member(t)
	require.Equal(t, termsVersion, b.shownVersion(t))
	s.services.failing(getText, errAway)
	s.services.publishes("terms", "2026-12-24")
	for range 3 {
		s.clock.Move(time.Hour / 3)
		require.Equal(t, termsVersion, b.shownVersion(t))
		require.Equal(t, http.StatusOK, b.joins(t, termsVersion).StatusCode)
	}
	s.services.failing(getText, nil)
	s.services.publishes("privacy", "")
	s.clock.Move(versionsPause)
	require.Equal(t, termsVersion, b.shownVersion(t), "a text without a day is not agreed to")
	s.services.publishes("privacy", privacyDate)
	s.clock.Move(versionsPause)
	require.Equal(t, newerTerms, b.shownVersion(t))
}

func TestWhileNoVersionWasEverKnownNobodyIsAskedAndNothingIsAccepted(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.failing(getText, errAway)
	s.services.knows(&identityv1.User{Uid: s.uid(), Admin: true})
	b := s.member(t)
	session := tree(t, b.call(t, getSession, "{}").body)
	require.NotContains(t, session, "termsVersion")
	require.NotContains(t, session["member"], "consentsMissing")
	require.Equal(t, true, at(t, session, "member", "admin"), "the rest is shown")
	for _, version := range []string{termsVersion, newerTerms} {
		b.joins(t, version).refused(t, http.StatusServiceUnavailable, "UNAVAILABLE")
		b.agrees(t, version).refused(t, http.StatusServiceUnavailable, "UNAVAILABLE")
	}
	require.Empty(t, s.services.signUps)
	require.Empty(t, s.services.answers)

	s.services.failing(getText, nil)
	s.clock.Move(versionsPause)
	session = tree(t, b.call(t, getSession, "{}").body)
	require.Equal(t, termsVersion, session["termsVersion"])
	require.Equal(t, true, at(t, session, "member", "consentsMissing"))
	require.Equal(t, http.StatusOK, b.agrees(t, termsVersion).StatusCode)
	require.Equal(t, http.StatusOK, b.joins(t, termsVersion).StatusCode)
}

func TestManyWaitForOneQuestionAfterTheVersionsAndNotLong(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	s.services.hanging(getText)
	b := s.gateways[0].browser(t)
	var calls sync.WaitGroup
	for range 20 {
		calls.Go(func() {
			got, err := b.tryCall(t.Context(), signUpCall, signUp)
			if err != nil || got.StatusCode != http.StatusServiceUnavailable {
				t.Errorf("%v %s", err, got.body)
			}
		})
	}
	calls.Wait()
	asked := s.services.asks(getText)
	require.LessOrEqual(t, asked, 2, "each text once: all wait for one question, and not one after the other")
	require.Nil(t, b.shownVersion(t))
	require.Equal(t, asked, s.services.asks(getText), "and not for who comes next")
}
