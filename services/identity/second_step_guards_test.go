package identity_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/errs"
)

// guarded is what a member gives the password once more for.
func (b *harness) guarded(m account.Signed) map[string]func(ctx context.Context) error {
	return map[string]func(ctx context.Context) error{
		"new recovery codes": func(ctx context.Context) error { _, err := b.second.NewRecoveryCodes(ctx, m, goodPassword); return err },
		"a passkey more": func(ctx context.Context) error {
			_, _, err := b.passkeys.Begin(ctx, m, goodPassword)
			return err
		},
		"a passkey less": func(ctx context.Context) error { return b.passkeys.Remove(ctx, m, newID(), goodPassword) },
		"another address": func(ctx context.Context) error {
			_, err := b.accounts.BeginAddressChange(ctx, m, goodPassword, "amara@new.example")
			return err
		},
		"another password": func(ctx context.Context) error { return b.accounts.ChangePassword(ctx, m, goodPassword, otherPassword) },
		"the account no more": func(ctx context.Context) error {
			_, err := b.accounts.ScheduleDeletion(ctx, m, goodPassword, here)
			return err
		},
		"no second step more": func(ctx context.Context) error { return b.second.Remove(ctx, m, goodPassword) },
	}
}

func TestASessionWithoutTheSecondStepChangesNothingThatItGuards(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara, nils := b.member("amara"), b.member("nils")
	before := b.signedIn(amara, false)
	b.turnOn(amara)
	for _, m := range []account.Signed{before, {UID: before.UID}, {UID: before.UID, SID: b.signedIn(nils, true).SID}} {
		for what, change := range b.guarded(m) {
			require.ErrorIs(t, change(t.Context()), account.ErrSecondStepMissing, what)
		}
		require.ErrorIs(t, b.second.Remove(t.Context(), m, "not the password"), account.ErrWrongPassword, "without the password the answer says nothing")
	}
	require.Equal(t, 1, b.count(`SELECT count(*) FROM authenticators`))
	require.NoError(t, b.accounts.ChangePassword(t.Context(), b.signedIn(nils, false), goodPassword, otherPassword), "nobody else is asked")
}

func TestASessionThatGaveTheSecondStepOrAPasskeyChangesWhatItGuards(t *testing.T) {
	t.Parallel()
	for name, begun := range map[string]func(b *harness, a account.Account) account.Signed{
		"with a code": func(b *harness, a account.Account) account.Signed { b.turnOn(a); return b.signedIn(a, true) },
		"with a passkey": func(b *harness, a account.Account) account.Signed {
			b.turnOn(a)
			m := b.signedIn(a, false)
			b.count(`WITH changed AS (UPDATE sessions SET by_passkey = true RETURNING 1) SELECT count(*) FROM changed`)
			return m
		},
		"where the app was set up": func(b *harness, a account.Account) account.Signed {
			m := b.signedIn(a, false)
			b.turnOnIn(m, a)
			return m
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t).serve()
			m := begun(b, b.member("amara"))
			for _, what := range []string{"new recovery codes", "a passkey more", "a passkey less", "another address", "no second step more", "another password"} {
				require.NoError(t, b.guarded(m)[what](t.Context()), what)
			}
			require.Zero(t, b.count(`SELECT count(*) FROM authenticators`))
		})
	}
}

func TestADeletionAsksForTheSecondStepAndIsTheSameWhenItsAnswerWasLost(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara := b.member("amara")
	b.turnOn(amara)
	m := b.signedIn(amara, true)
	at, err := b.accounts.ScheduleDeletion(t.Context(), m, goodPassword, here)
	require.NoError(t, err)
	b.clock.Advance(time.Minute)
	again, err := b.accounts.ScheduleDeletion(t.Context(), m, goodPassword, here)
	require.NoError(t, err, "its session has ended by then")
	require.True(t, again.Equal(at))
	_, err = b.accounts.ScheduleDeletion(t.Context(), m, "not the password", here)
	require.ErrorIs(t, err, account.ErrWrongPassword)
	require.Equal(t, "password", errs.From(err).Field)
}

func TestAMemberWhoHasLostTheirAppTurnsItOffInASessionThatARecoveryCodeBegan(t *testing.T) {
	t.Parallel()
	b := setup(t).serve()
	amara := b.member("amara")
	phone := b.turnOn(amara)
	br, asked, _ := b.atCode(b.rp(), "amara")
	require.Equal(t, 302, br.code(asked, phone.recovery[0]).status)
	var sid string
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `SELECT sid::text FROM sessions`).Scan(&sid))
	require.NoError(t, b.second.Remove(t.Context(), account.Signed{UID: amara.UID.String(), SID: sid}, goodPassword))
}
