package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/device"
	"serein.app/services/identity/internal/jobs"
	"serein.app/services/identity/internal/oidcop"
	"serein.app/services/identity/internal/postgres"
	"serein.app/services/platform/outbox"
	"serein.app/services/testkit"
)

// now is the tests' time, to PostgreSQL's microsecond.
var now = time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)

// harness is a store on its own database.
type harness struct {
	*postgres.Store
	t    *testing.T
	db   testkit.DB
	jobs *mailJobs
}

// mailJobs counts the mails that are enqueued; what mails are is the jobs' business.
type mailJobs struct{ enqueued int }

func (j *mailJobs) InsertTx(context.Context, pgx.Tx, river.JobArgs, *river.InsertOpts) (*rivertype.JobInsertResult, error) {
	j.enqueued++
	return &rivertype.JobInsertResult{}, nil
}

func setup(t *testing.T) *harness {
	t.Helper()
	db, queue := testkit.Postgres(t, "identity", postgres.Migrate), &mailJobs{}
	events := outbox.New(db.Pool, nil, "identity", testkit.Logger(t), time.Now)
	return &harness{Store: postgres.New(db.Pool, events, queue, jobs.For), t: t, db: db, jobs: queue}
}

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// registration is a sign-up of that name and address, at now.
func registration(username, email string) account.Registration {
	return account.Registration{
		Account: account.Account{
			UID: newID(), Username: username, Email: email, GivenName: "Amara", FamilyName: "Lindqvist",
			PasswordHash: "hash", ReferralCode: uuid.NewString(),
		},
		UsernameKey: username, EmailKey: email, At: now, LapsesAt: now.Add(account.UnconfirmedLife),
		Code: &account.Code{ID: newID(), Kind: account.CodeConfirmation, Hash: []byte("code"), ExpiresAt: now.Add(account.CodeLife)},
	}
}

func anyCode(account.Code) error { return nil }

func noKey(string) []byte { return nil }

// member registers and confirms.
func (h *harness) member(username string) uuid.UUID {
	h.t.Helper()
	r := registration(username, username+"@example.org")
	require.NoError(h.t, h.Register(h.t.Context(), r))
	require.NoError(h.t, h.Confirm(h.t.Context(), username, now, noKey, anyCode))
	return r.UID
}

func (h *harness) count(sql string, args ...any) int {
	h.t.Helper()
	var n int
	require.NoError(h.t, h.db.Pool.QueryRow(h.t.Context(), sql, args...).Scan(&n))
	return n
}

// rotate replaces a refresh token by one that alone may follow it.
func (h *harness) rotate(old, next []byte, at time.Time) error {
	h.t.Helper()
	_, err := h.Rotate(h.t.Context(), old, [][]byte{next}, at)
	return err
}

// session begins a browser's session.
func (h *harness) session(uid uuid.UUID) oidcop.Session {
	h.t.Helper()
	s := oidcop.Session{SID: newID(), CookieHash: []byte(uuid.NewString()), UID: uid, AuthTime: now, ExpiresAt: now.Add(oidcop.SessionLife), Device: device.Of("")}
	require.NoError(h.t, h.StartSession(h.t.Context(), s, true))
	return s
}

// answered is a request that somebody has signed in to, with a code.
func (h *harness) answered(s oidcop.Session, code string) oidcop.Request {
	h.t.Helper()
	r := oidcop.Request{
		ID: newID(), ClientID: "gateway", RedirectURI: "https://app.test/", Scopes: []string{"openid"}, State: "s", Nonce: "n",
		CodeChallenge: "c", CreatedAt: now, UID: &s.UID, SID: &s.SID, AuthTime: &s.AuthTime,
	}
	require.NoError(h.t, h.SaveAnswered(h.t.Context(), r, []byte(code), now.Add(oidcop.CodeLife)))
	return r
}

// grant goes from a request to a grant with its first refresh token.
func (h *harness) grant(s oidcop.Session, refresh string) oidcop.Grant {
	h.t.Helper()
	r := h.answered(s, uuid.NewString())
	g := oidcop.Grant{
		ID: newID(), UID: s.UID, ClientID: "gateway", SID: s.SID, Scopes: []string{"openid"},
		AuthTime: now, CreatedAt: now, ExpiresAt: now.Add(oidcop.GrantLife),
	}
	require.NoError(h.t, h.Exchange(h.t.Context(), r.ID, g, []byte(refresh), now))
	return g
}
