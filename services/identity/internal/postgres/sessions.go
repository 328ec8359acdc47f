package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/device"
	"serein.app/services/identity/internal/jobs"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/identity/internal/postgres/sqlcgen"
)

var _ jobs.Accounts = (*Store)(nil)

// StartSession keeps a new session and ends those that are too many. The letter of a browser that was not known is enqueued with it.
func (s *Store) StartSession(ctx context.Context, n oidcop.Session, known bool) error {
	_, err := s.startSession(ctx, n, known, oidcop.Answer{})
	return err
}

// StartAndAnswer is StartSession, and SaveAnswered of the request that the session answers. Errors: as StartSession, and
// oidcop.ErrNotFound where the session has begun, and the request has been answered before.
func (s *Store) StartAndAnswer(ctx context.Context, n oidcop.Session, known bool, a oidcop.Answer) error {
	answered, err := s.startSession(ctx, n, known, a)
	if err == nil && !answered {
		return oidcop.ErrNotFound
	}
	return err
}

func (s *Store) startSession(ctx context.Context, n oidcop.Session, known bool, a oidcop.Answer) (answered bool, err error) {
	in, err := beginSession(n, known, a)
	if err != nil {
		return false, err
	}
	var begun sqlcgen.BeginSessionRow
	err = s.again(ctx, func(ctx context.Context) (err error) {
		begun, err = s.queries.BeginSession(ctx, s.db, in)
		return err
	})
	if err == nil && begun.Outcome == "crowded" {
		in.Most = nil
		err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) (err error) {
			if begun, err = s.queries.BeginSession(ctx, tx, in); err != nil || begun.Outcome != "begun" {
				return err
			}
			return s.endSurplus(ctx, tx, n)
		})
	}
	if err != nil {
		return false, err
	}
	return begun.Answered, refusals[begun.Outcome]
}

// refusals are why no session begins.
var refusals = map[string]error{"past": account.ErrNotAuthorized, "second_step": oidcop.ErrSecondStepAsked}

func beginSession(n oidcop.Session, known bool, a oidcop.Answer) (sqlcgen.BeginSessionParams, error) {
	letter := jobs.AccountMail{ID: n.SID, UID: n.UID, Letter: jobs.NewDevice}
	args, err := json.Marshal(letter)
	most := int32(oidcop.MaxSessions)
	in := sqlcgen.BeginSessionParams{
		Sid: n.SID, CookieHash: n.CookieHash, Uid: n.UID, AuthTime: n.AuthTime, ExpiresAt: n.ExpiresAt,
		Kind: string(n.Device.Kind), Device: n.Device.Name, Place: n.Place, ByPasskey: n.ByPasskey, SecondStep: n.SecondStep,
		Browser: n.Browser, PasswordChanges: n.PasswordChanges, Known: known, Most: &most,
		LetterKind: letter.Kind(), Letter: args, LetterAttempts: int32(letter.InsertOpts().MaxAttempts),
	}
	if r := a.Request; r != nil {
		in.Request, in.ClientID, in.RedirectUri, in.Scopes, in.State, in.Nonce = &r.ID, r.ClientID, r.RedirectURI, r.Scopes, r.State, r.Nonce
		in.CodeChallenge, in.CreatedAt, in.CodeHash, in.CodeExpiresAt = r.CodeChallenge, r.CreatedAt, a.CodeHash, a.Expires
	}
	return in, err
}

// stillProved holds the account of a session that goes on. Errors: account.ErrNotAuthorized where what proved its member is past, and
// oidcop.ErrSecondStepAsked.
func (s *Store) stillProved(ctx context.Context, tx pgx.Tx, n oidcop.Session) error {
	asked, err := s.queries.LockAccountToSignIn(ctx, tx, sqlcgen.LockAccountToSignInParams{Uid: n.UID, PasswordChanges: n.PasswordChanges})
	if err == nil && asked && !n.ByPasskey && !n.SecondStep {
		return oidcop.ErrSecondStepAsked
	}
	return missing(err, account.ErrNotAuthorized)
}

func (s *Store) endSurplus(ctx context.Context, tx pgx.Tx, n oidcop.Session) error {
	surplus, err := s.queries.SurplusSessions(ctx, tx, sqlcgen.SurplusSessionsParams{Uid: n.UID, Kind: string(n.Device.Kind), Most: oidcop.MaxSessions})
	if err != nil {
		return err
	}
	for _, sid := range surplus {
		if err := s.endSession(ctx, tx, sid, n.AuthTime); err != nil {
			return err
		}
	}
	return nil
}

// RenewSession gives a session that goes on its new cookie, times and browser. Errors: oidcop.ErrNotFound, account.ErrNotAuthorized,
// oidcop.ErrSecondStepAsked.
func (s *Store) RenewSession(ctx context.Context, n oidcop.Session) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.stillProved(ctx, tx, n); err != nil {
			return err
		}
		return affected(s.queries.RenewSession(ctx, tx, sqlcgen.RenewSessionParams{
			Sid: n.SID, CookieHash: n.CookieHash, AuthTime: n.AuthTime, ExpiresAt: n.ExpiresAt,
			Kind: string(n.Device.Kind), Device: n.Device.Name, Place: n.Place, ByPasskey: n.ByPasskey, SecondStep: n.SecondStep,
		}))
	})
}

// Session finds a browser session that has not ended.
func (s *Store) Session(ctx context.Context, cookieHash []byte, now time.Time) (oidcop.Session, error) {
	n, err := s.queries.SessionByCookie(ctx, s.db, sqlcgen.SessionByCookieParams{CookieHash: cookieHash, Now: now})
	return sessionOf(n), missing(err, oidcop.ErrNotFound)
}

// UsableSessions are a member's whose cookie, or a grant that came of them, could be used now.
func (s *Store) UsableSessions(ctx context.Context, uid uuid.UUID, now time.Time) ([]oidcop.Session, error) {
	rows, err := s.queries.UsableSessions(ctx, s.db, sqlcgen.UsableSessionsParams{Uid: uid, Now: now})
	out := make([]oidcop.Session, len(rows))
	for i, n := range rows {
		out[i] = sessionOf(n)
	}
	return out, translate(err)
}

// UseSession writes down that a session is used, at most every oidcop.UseEvery.
func (s *Store) UseSession(ctx context.Context, sid uuid.UUID, now time.Time) error {
	return translate(s.useSession(ctx, s.db, sid, now, now))
}

// useSession also has the session last until then, at least.
func (s *Store) useSession(ctx context.Context, db sqlcgen.DBTX, sid uuid.UUID, now, ends time.Time) error {
	return s.queries.UseSession(ctx, db, sqlcgen.UseSessionParams{Sid: sid, Now: now, EndsAt: ends, EverySeconds: oidcop.UseEvery.Seconds()})
}

// EndSession ends a session and every grant that came of it, with one event, and enqueues a notice for each client that took part in the
// session and wants one. Ending a session that has ended already is no error, and sends no notice.
func (s *Store) EndSession(ctx context.Context, sid uuid.UUID, now time.Time) error {
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error { return s.endSession(ctx, tx, sid, now) })
}

// EndSessionOf is EndSession for a session of that member alone, and says whether there was one.
func (s *Store) EndSessionOf(ctx context.Context, uid, sid uuid.UUID, now time.Time) (ended bool, err error) {
	err = s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := s.queries.SessionOfMember(ctx, tx, sqlcgen.SessionOfMemberParams{Sid: sid, Uid: uid})
		if ended = err == nil; errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return s.endSession(ctx, tx, sid, now)
	})
	return ended, err
}

func (s *Store) endSession(ctx context.Context, tx pgx.Tx, sid uuid.UUID, now time.Time) error {
	if err := s.queries.RevokeGrantsOfSession(ctx, tx, sqlcgen.RevokeGrantsOfSessionParams{Sid: sid, Now: now}); err != nil {
		return err
	}
	uid, err := s.queries.DeleteSession(ctx, tx, sid)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.noticeLogout(ctx, tx, uid, sid); err != nil {
		return err
	}
	return s.outbox.Add(ctx, tx, sessionEnded(uid, sid))
}

// SignedIn finds where a letter says that its member has signed in. Errors: account.ErrUserNotFound for a session that has ended since.
func (s *Store) SignedIn(ctx context.Context, sid uuid.UUID) (jobs.SignedIn, error) {
	n, err := s.queries.SessionByID(ctx, s.db, sid)
	return jobs.SignedIn{Device: n.Device, Place: n.Place}, missing(err, account.ErrUserNotFound)
}

func sessionOf(n sqlcgen.Session) oidcop.Session {
	return oidcop.Session{
		SID: n.Sid, CookieHash: n.CookieHash, UID: n.Uid, AuthTime: n.AuthTime, ExpiresAt: n.ExpiresAt,
		Device: device.Device{Kind: device.Kind(n.Kind), Name: n.Device}, Place: n.Place, BeganAt: n.BeganAt, UsedAt: n.UsedAt, ByPasskey: n.ByPasskey, SecondStep: n.SecondStep,
	}
}
