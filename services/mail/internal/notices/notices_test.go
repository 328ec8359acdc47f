package notices_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/mail/internal/letters"
	"serein.app/services/mail/internal/notices"
	"serein.app/services/platform/config"
)

const (
	secret = config.Secret("0123456789abcdef0123456789abcdef")
	newer  = config.Secret("fedcba9876543210fedcba9876543210")
	body   = `{"events":[{"type":"bounce","permanent":true,"address":"ada@example.com"}]}`
)

var now = time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)

func reader(secrets ...config.Secret) *notices.Reader {
	return notices.New(secrets, func() time.Time { return now })
}

func TestWhatIsSignedWithAnySecretOfTheRotationIsBelieved(t *testing.T) {
	t.Parallel()
	for _, at := range []time.Time{now, now.Add(-5 * time.Minute), now.Add(5 * time.Minute)} {
		for _, with := range []config.Secret{secret, newer} {
			told, err := reader(newer, secret).Read([]byte(body), notices.Sign([]byte(body), at, with))
			require.NoError(t, err)
			require.Equal(t, []notices.Notice{{Address: "ada@example.com", Why: letters.Bounce}}, told)
		}
	}
}

func TestANoticeThatIsNotTheSendingServersIsRefused(t *testing.T) {
	t.Parallel()
	good := notices.Sign([]byte(body), now, secret)
	for what, one := range map[string]struct{ body, signature string }{
		"no signature":         {body, ""},
		"no proof":             {body, strings.Split(good, ",")[0]},
		"no time":              {body, strings.Split(good, ",")[1]},
		"two times":            {body, good + ",t=1"},
		"a proof of no hex":    {body, "t=1,v1=x"},
		"a changed body":       {strings.Replace(body, "ada", "eve", 1), good},
		"another secret":       {body, notices.Sign([]byte(body), now, newer)},
		"an empty secret":      {body, notices.Sign([]byte(body), now, "")},
		"older than tolerance": {body, notices.Sign([]byte(body), now.Add(-301*time.Second), secret)},
		"from the future":      {body, notices.Sign([]byte(body), now.Add(301*time.Second), secret)},
		"no JSON":              {"{", notices.Sign([]byte("{"), now, secret)},
	} {
		_, err := reader(secret).Read([]byte(one.body), one.signature)
		require.ErrorIs(t, err, notices.ErrInvalid, what)
		require.NotContains(t, err.Error(), secret.Reveal())
	}
	_, err := reader().Read([]byte(body), notices.Sign([]byte(body), now, ""))
	require.ErrorIs(t, err, notices.ErrInvalid, "without a secret nothing is believed")
}

func TestOnlyWhatIsForGoodEndsAnAddresssLetters(t *testing.T) {
	t.Parallel()
	for event, want := range map[string][]notices.Notice{
		`{"type":"bounce","permanent":false,"address":"a@b.example"}`:             nil,
		`{"type":"bounce","address":"a@b.example"}`:                               nil,
		`{"type":"complaint","permanent":false,"address":"a@b.example"}`:          {{Address: "a@b.example", Why: letters.Complaint}},
		`{"type":"delivered","permanent":true,"address":"a@b.example"}`:           nil,
		`{"type":"bounce","permanent":true,"address":"a@b.example, c@d.example"}`: nil,
		`{"type":"bounce","permanent":true,"address":""}`:                         nil,
	} {
		body := fmt.Sprintf(`{"events":[%s],"more":1}`, event)
		told, err := reader(secret).Read([]byte(body), notices.Sign([]byte(body), now, secret))
		require.NoError(t, err)
		require.Equal(t, want, told, event)
	}
}

func TestSecretsThatCouldBeGuessedAreRefused(t *testing.T) {
	t.Parallel()
	require.NoError(t, notices.CheckSecrets(nil))
	require.NoError(t, notices.CheckSecrets([]config.Secret{secret, newer}))
	require.ErrorContains(t, notices.CheckSecrets([]config.Secret{secret, secret[1:]}), "MAIL_NOTICE_SECRET")
	require.Error(t, notices.CheckSecrets([]config.Secret{secret, ""}))
}
