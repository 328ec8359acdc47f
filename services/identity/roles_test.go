package identity_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	eventsv1 "serein.app/proto/gen/serein/events/v1"
	"serein.app/services/identity/internal/account"
	"serein.app/services/identity/internal/postgres"
)

func (b *harness) setAdmin(username string, granted bool) (bool, error) {
	return account.SetAdmin(b.t.Context(), b.store, username, account.RoleChange{
		Granted: granted, By: "ops@host", Note: "the first of us", At: b.clock.Now(),
	})
}

func (b *harness) admin(uid uuid.UUID) bool {
	b.t.Helper()
	a, err := b.accounts.ByUID(b.t.Context(), uid.String())
	require.NoError(b.t, err)
	return a.Admin
}

func (b *harness) roleEvents() []*eventsv1.UserUpdated {
	b.t.Helper()
	var events []*eventsv1.UserUpdated
	for _, payload := range b.outbox("serein.identity.user.updated.v1") {
		var event eventsv1.UserUpdated
		require.NoError(b.t, payload.UnmarshalTo(&event))
		events = append(events, &event)
	}
	return events
}

func TestTheAdminRole(t *testing.T) {
	t.Parallel()

	t.Run("is given and taken with its record and its event, once each", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.member("Amara")
		require.False(t, b.admin(a.UID), "nobody is born one")
		for _, step := range []struct {
			granted, changed bool
			username         string
		}{{true, true, "amara"}, {true, false, "AMARA"}, {false, true, "amara"}, {false, false, "amara"}, {true, true, "ａｍａｒａ"}} {
			changed, err := b.setAdmin(step.username, step.granted)
			require.NoError(t, err)
			require.Equal(t, step.changed, changed, "%+v", step)
			require.Equal(t, step.granted, b.admin(a.UID))
		}
		require.Equal(t, 3, b.count(`SELECT count(*) FROM role_changes WHERE uid = $1 AND role = 'admin' AND changed_by = 'ops@host' AND note = 'the first of us'`, a.UID))
		require.Equal(t, 2, b.count(`SELECT count(*) FROM role_changes WHERE granted`))
		events := b.roleEvents()
		require.Len(t, events, 3)
		for i, granted := range []bool{true, false, true} {
			require.True(t, proto.Equal(&eventsv1.UserUpdated{Uid: a.UID.String(), Fields: []string{"admin"}, Admin: granted}, events[i]), "%v", events[i])
		}
	})

	t.Run("is nobody's without a confirmed account", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		_, err := b.accounts.SignUp(t.Context(), form("waiting", "waiting@example.org"))
		require.NoError(t, err)
		for _, name := range []string{"waiting", "nobody", "", "waiting@example.org"} {
			_, err := b.setAdmin(name, true)
			require.EqualError(t, err, `there is no confirmed account "`+name+`"`)
		}
		require.Zero(t, b.count(`SELECT count(*) FROM role_changes`))
	})

	t.Run("is recorded in words that read as they are written", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.member("amara")
		for name, odd := range map[string]string{
			"an override": "\u202e", "an isolate": "\u2066", "a mark of direction": "\u200f", "an Arabic mark": "\u061c",
			"a line": "\u2028", "nothing to see": "\u200b", "a joiner": "\u2060", "a control": "\x07", "a tag": "\U000e0041",
		} {
			for _, c := range []account.RoleChange{{Granted: true, By: "ops" + odd}, {Granted: true, By: "ops", Note: "the " + odd + " first"}} {
				c.At = b.clock.Now()
				_, err := account.SetAdmin(t.Context(), b.store, "amara", c)
				require.ErrorContains(t, err, "in one line", name)
			}
		}
		require.Zero(t, b.count(`SELECT count(*) FROM role_changes`))
	})

	t.Run("changes once, of many operators at once", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.member("amara")
		var changes atomic.Int32
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				if changed, err := b.setAdmin("amara", true); err == nil && changed {
					changes.Add(1)
				}
			})
		}
		group.Wait()
		require.EqualValues(t, 1, changes.Load())
		require.Len(t, b.roleEvents(), 1)
	})

	t.Run("does not change without its event", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a := b.member("amara")
		_, err := account.SetAdmin(t.Context(), postgres.New(b.db.Pool, brokenOutbox{}, nil, nil), "amara", account.RoleChange{Granted: true, By: "ops", At: b.clock.Now()})
		require.ErrorContains(t, err, "the outbox is full")
		require.False(t, b.admin(a.UID))
		require.Zero(t, b.count(`SELECT count(*) FROM role_changes`))
	})

	t.Run("has a record that the service cannot rewrite, and that outlives the account", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.member("amara")
		_, err := b.setAdmin("amara", true)
		require.NoError(t, err)
		for _, statement := range []string{`UPDATE role_changes SET changed_by = 'nobody'`, `DELETE FROM role_changes`} {
			_, err := b.db.Pool.Exec(t.Context(), statement)
			require.ErrorContains(t, err, "SQLSTATE 42501", statement)
		}
		_, err = b.db.Pool.Exec(t.Context(), `DELETE FROM accounts`)
		require.NoError(t, err)
		require.Equal(t, 1, b.count(`SELECT count(*) FROM role_changes`))
	})

	t.Run("is given by somebody, in one line", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.member("amara")
		for _, c := range []account.RoleChange{
			{}, {By: strings.Repeat("x", 201)}, {By: "a\nb"}, {By: "ops", Note: strings.Repeat("é", 201)}, {By: "ops", Note: "\x00"}, {By: "\xff"},
		} {
			c.Granted, c.At = true, b.clock.Now()
			_, err := account.SetAdmin(t.Context(), b.store, "amara", c)
			require.Error(t, err, "%+v", c)
		}
		require.Zero(t, b.count(`SELECT count(*) FROM role_changes`))
	})
}
