package postgres_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/device"
	"serein.app/services/identity/internal/jobs"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/testkit"
)

func TestAMemberHasSoManySessionsAndTheOneUsedLongestAgoEnds(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := h.member("amara")
	start := func(at time.Time, d device.Device) oidcop.Session {
		s := oidcop.Session{SID: newID(), CookieHash: []byte(newID().String()), UID: uid, AuthTime: at, ExpiresAt: at.Add(oidcop.SessionLife), Device: d}
		require.NoError(t, h.StartSession(t.Context(), s, true))
		return s
	}
	browser := device.Device{Kind: device.Phone, Name: "iPhone"}
	first, second := start(now, browser), start(now.Add(time.Minute), browser)
	require.NoError(t, h.UseSession(t.Context(), first.SID, now.Add(time.Hour)))
	for i := range oidcop.MaxSessions {
		start(now.Add(2*time.Minute+time.Duration(i)), device.Of(""))
	}
	require.Equal(t, oidcop.MaxSessions+2, h.count(`SELECT count(*) FROM sessions`), "programs are counted by themselves")
	for i := range oidcop.MaxSessions - 1 {
		start(now.Add(2*time.Minute+time.Duration(i)), browser)
	}
	require.Equal(t, oidcop.MaxSessions, h.count(`SELECT count(*) FROM sessions WHERE kind = 'phone'`))
	require.Zero(t, h.count(`SELECT count(*) FROM sessions WHERE sid = $1`, second.SID), "not the one that is used")
	require.Equal(t, 1, h.count(`SELECT count(*) FROM outbox WHERE subject = 'serein.identity.session.ended.v1'`), "and the event is published")
}

func TestNothingComesOfASessionThatHasEndedMeanwhile(t *testing.T) {
	t.Parallel()
	h := setup(t)
	s := h.session(h.member("amara"))
	r := h.answered(s, "code")
	require.NoError(t, h.EndSession(t.Context(), s.SID, now))
	g := oidcop.Grant{ID: newID(), UID: s.UID, ClientID: "gateway", SID: s.SID, Scopes: []string{"openid"}, AuthTime: now, CreatedAt: now, ExpiresAt: now.Add(oidcop.GrantLife)}
	require.ErrorIs(t, h.Exchange(t.Context(), r.ID, g, []byte("refresh"), now), oidcop.ErrNotFound)
	require.ErrorIs(t, h.Exchange(t.Context(), r.ID, g, nil, now), oidcop.ErrNotFound, "nor a token that is not renewed")
	require.Zero(t, h.count(`SELECT count(*) FROM grants`))
}

// proved is a session that is to begin of somebody who was proved when their password had been replaced that often.
func proved(uid uuid.UUID, changes int64) oidcop.Session {
	return oidcop.Session{
		SID: newID(), CookieHash: []byte(uuid.NewString()), UID: uid, AuthTime: now, ExpiresAt: now.Add(oidcop.SessionLife), Device: device.Of(""), PasswordChanges: changes,
	}
}

// changePassword replaces a member's password, proved by the one that a registration gives.
func (h *harness) changePassword(uid uuid.UUID) error {
	a, err := h.ByUID(h.t.Context(), uid)
	if err != nil {
		return err
	}
	return h.ChangePassword(h.t.Context(), uid, a.PasswordHash, account.NewPassword{Hash: a.PasswordHash + "+", At: now, NoticeID: newID()})
}

func TestNoSessionBeginsOrGoesOnOnceWhatProvedItsMemberIsPast(t *testing.T) {
	t.Parallel()
	for name, past := range map[string]func(h *harness, uid uuid.UUID) error{
		"the password was replaced": (*harness).changePassword,
		"another password is demanded": func(h *harness, _ uuid.UUID) error {
			_, _, err := h.RequireReset(h.t.Context(), "amara", now)
			return err
		},
		"the account is to be deleted": func(h *harness, uid uuid.UUID) error {
			_, err := h.ScheduleDeletion(h.t.Context(), uid, now.Add(time.Hour), now)
			return err
		},
		"the account is gone": func(h *harness, uid uuid.UUID) error {
			_, err := h.db.Pool.Exec(h.t.Context(), `DELETE FROM accounts WHERE uid = $1`, uid)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			h.MailLeavingBy(jobs.ForLeaving)
			uid := h.member("amara")
			before := h.session(uid)
			require.NoError(t, h.RenewSession(t.Context(), before))
			require.NoError(t, past(h, uid))
			require.ErrorIs(t, h.StartSession(t.Context(), proved(uid, 0), true), account.ErrNotAuthorized)
			require.ErrorIs(t, h.RenewSession(t.Context(), before), account.ErrNotAuthorized)
			require.Zero(t, h.count(`SELECT count(*) FROM sessions`))
		})
	}
}

func TestASignInWaitsForAChangeOfThePasswordAndIsThenRefused(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := h.member("amara")
	change, err := h.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = change.Exec(t.Context(), `UPDATE accounts SET password_changes = password_changes + 1 WHERE uid = $1`, uid)
	require.NoError(t, err)
	began := make(chan error, 1)
	go func() { began <- h.StartSession(context.WithoutCancel(t.Context()), proved(uid, 0), true) }()
	require.Eventually(t, func() bool {
		return h.count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
	}, testkit.Patience, 5*time.Millisecond)
	require.NoError(t, change.Commit(t.Context()))
	require.ErrorIs(t, <-began, account.ErrNotAuthorized)
	require.NoError(t, h.StartSession(t.Context(), proved(uid, 1), true), "the new one signs in")
}

func TestOfASignInAndAChangeOfThePasswordAtOnceNoSessionIsLeft(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := h.member("amara")
	for changes := range int64(20) {
		var both sync.WaitGroup
		var changed, began error
		both.Go(func() { changed = h.changePassword(uid) })
		both.Go(func() { began = h.StartSession(t.Context(), proved(uid, changes), true) })
		both.Wait()
		require.NoError(t, changed)
		require.True(t, began == nil || errors.Is(began, account.ErrNotAuthorized), began)
		require.Zero(t, h.count(`SELECT count(*) FROM sessions`))
	}
}

func TestNoSessionBeginsOrGoesOnWithoutTheSecondStepThatTheAccountAsksFor(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := h.member("amara")
	before := h.session(uid)
	_, err := h.db.Pool.Exec(t.Context(), `INSERT INTO authenticators VALUES ($1, 'sealed', 1, now())`, uid)
	require.NoError(t, err)
	require.ErrorIs(t, h.StartSession(t.Context(), proved(uid, 0), true), oidcop.ErrSecondStepAsked)
	require.ErrorIs(t, h.RenewSession(t.Context(), before), oidcop.ErrSecondStepAsked)
	require.Equal(t, 1, h.count(`SELECT count(*) FROM sessions`))
	for _, way := range []func(*oidcop.Session){
		func(s *oidcop.Session) { s.SecondStep = true },
		func(s *oidcop.Session) { s.ByPasskey = true },
	} {
		begun := proved(uid, 0)
		way(&begun)
		require.NoError(t, h.StartSession(t.Context(), begun, true))
		require.NoError(t, h.RenewSession(t.Context(), begun))
	}
}

// The browser that a member joins with by a code holds nothing of the provider's when it signs in later.
func TestTheFirstBrowserWithTheNameOfTheOneThatTheMemberJoinedWithIsNoNewDevice(t *testing.T) {
	t.Parallel()
	h := setup(t)
	const firefox, safari = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15"
	signsIn := func(uid uuid.UUID, userAgent, browser string) {
		s := proved(uid, 0)
		s.Device = device.Of(userAgent)
		if browser != "" {
			s.Browser = []byte(browser)
		}
		require.NoError(t, h.StartSession(t.Context(), s, browser == ""))
	}
	letters := func() int { return h.count(`SELECT count(*) FROM river_job`) }
	amara := h.member("amara")
	signsIn(amara, firefox, "") // joins
	signsIn(amara, firefox, "one")
	require.Zero(t, letters())
	signsIn(amara, firefox, "one")
	require.Zero(t, letters(), "the answer was lost")
	signsIn(amara, firefox, "two")
	require.Equal(t, 1, letters(), "another one of that name")

	bea := h.member("bea")
	signsIn(bea, firefox, "")
	signsIn(bea, safari, "three")
	require.Equal(t, 2, letters())
	signsIn(bea, firefox, "four")
	require.Equal(t, 3, letters(), "it is not the first any more")
}

// begin_session puts the letter into the queue's table by itself, without the queue's client.
func TestTheLetterOfANewDeviceIsEnqueuedAsTheQueueDoes(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := h.member("amara")
	h.session(uid) // the first has no letter
	s := proved(uid, 0)
	require.NoError(t, h.StartSession(t.Context(), s, false))
	require.Equal(t, 1, h.count(`SELECT count(*) FROM river_job`))
	queue, err := river.NewClient(riverpgxv5.New(h.db.Pool), &river.Config{})
	require.NoError(t, err)
	_, err = queue.Insert(t.Context(), jobs.AccountMail{ID: s.SID, UID: uid, Letter: jobs.NewDevice}, nil)
	require.NoError(t, err)
	require.Equal(t, 1, h.count(`SELECT count(DISTINCT to_jsonb(j) - '{id,created_at,scheduled_at}'::text[]) FROM river_job AS j`))
	require.Equal(t, 2, h.count(`SELECT count(*) FROM river_job WHERE scheduled_at <= now() AND created_at <= now()`))
}

func TestAnAnswerIsKeptWithItsSessionOrNotAtAll(t *testing.T) {
	t.Parallel()
	h := setup(t)
	uid := h.member("amara")
	s := proved(uid, 0)
	r := h.answered(h.session(uid), "code")
	r.SID = &s.SID
	answer := oidcop.Answer{Request: &r, CodeHash: []byte("second"), Expires: now.Add(oidcop.CodeLife)}
	past := s
	past.PasswordChanges++
	require.ErrorIs(t, h.StartAndAnswer(t.Context(), past, true, answer), account.ErrNotAuthorized)
	_, _, err := h.RequestByCode(t.Context(), []byte("second"))
	require.ErrorIs(t, err, oidcop.ErrNotFound)

	require.NoError(t, h.StartAndAnswer(t.Context(), s, true, answer))
	got, _, err := h.RequestByCode(t.Context(), []byte("second"))
	require.NoError(t, err)
	require.Equal(t, s.SID, *got.SID, "the code before is void")
	g := oidcop.Grant{ID: newID(), UID: uid, ClientID: "gateway", SID: s.SID, Scopes: []string{}, AuthTime: now, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}
	require.NoError(t, h.Exchange(t.Context(), r.ID, g, nil, now))

	s.SID, s.CookieHash = newID(), []byte("another")
	require.ErrorIs(t, h.StartAndAnswer(t.Context(), s, true, answer), oidcop.ErrNotFound, "its code is used")
	require.Equal(t, 3, h.count(`SELECT count(*) FROM sessions`), "its member is signed in all the same")
}
