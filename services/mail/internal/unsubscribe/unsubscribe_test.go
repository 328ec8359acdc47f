package unsubscribe_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/mail/internal/letters"
	"serein.app/services/mail/internal/unsubscribe"
	"serein.app/services/platform/config"
)

const (
	key   = config.Secret("0123456789abcdef0123456789abcdef")
	older = config.Secret("fedcba9876543210fedcba9876543210")
)

func links(t *testing.T, key, previous config.Secret) *unsubscribe.Links {
	t.Helper()
	l, err := unsubscribe.New(key, previous)
	require.NoError(t, err)
	return l
}

func TestALinkNamesItsReaderToUsAlone(t *testing.T) {
	t.Parallel()
	uid := uuid.New()
	for _, letter := range []letters.Letter{
		{Template: letters.TrialEnding, UID: uid.String(), To: "ada@example.com"},
		{Template: letters.Reward, UID: uid.String(), To: "ada@example.com"},
		{Template: letters.Invitation, To: "ada@example.com"},
	} {
		want, err := letter.Reader()
		require.NoError(t, err)
		token, err := links(t, key, "").Token(letter)
		require.NoError(t, err)
		require.LessOrEqual(t, len(token), 512)
		require.Regexp(t, `^[A-Za-z0-9_-]+$`, token)
		raw, err := base64.RawURLEncoding.DecodeString(token)
		require.NoError(t, err)
		for _, said := range []string{uid.String(), "ada", "reminders", "rewards", "invitations"} {
			require.NotContains(t, string(raw), said)
		}
		got, err := links(t, key, "").Read(token)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := links(t, key, "").Token(letters.Letter{Template: letters.Receipt, UID: uid.String()})
	require.Error(t, err, "nobody does without a receipt")
}

func TestALinkOfTheKeyBeforeIsReadAndOneOfAnotherIsNot(t *testing.T) {
	t.Parallel()
	token, err := links(t, older, "").Token(letters.Letter{Template: letters.LowBalance, UID: uuid.NewString()})
	require.NoError(t, err)
	_, err = links(t, key, older).Read(token)
	require.NoError(t, err)
	_, err = links(t, key, "").Read(token)
	require.ErrorIs(t, err, unsubscribe.ErrInvalid)
}

func TestALinkThatWasChangedIsNotOurs(t *testing.T) {
	t.Parallel()
	l := links(t, key, "")
	token, err := l.Token(letters.Letter{Template: letters.LowBalance, UID: uuid.NewString()})
	require.NoError(t, err)
	for i := range len(token) {
		other := "A"
		if token[i] == 'A' {
			other = "B"
		}
		_, err := l.Read(token[:i] + other + token[i+1:])
		require.ErrorIs(t, err, unsubscribe.ErrInvalid, i)
	}
	for _, bad := range []string{"", "x", token[1:], token + "A", token + "=", strings.Repeat("A", 500)} {
		_, err := l.Read(bad)
		require.ErrorIs(t, err, unsubscribe.ErrInvalid, bad)
	}
}
