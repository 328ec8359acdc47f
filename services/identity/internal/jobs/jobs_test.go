package jobs

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	mailv1 "serein.app/proto/gen/serein/mail/v1"
	"serein.app/services/identity/internal/account"
)

type letters map[uuid.UUID]Letter

func (l letters) Letter(_ context.Context, id uuid.UUID) (Letter, error) {
	if letter, ok := l[id]; ok {
		return letter, nil
	}
	return Letter{}, account.ErrUserNotFound
}

type mailer struct {
	fail error
	sent []*mailv1.SendMailRequest
}

func (m *mailer) SendMail(_ context.Context, req *mailv1.SendMailRequest) (*mailv1.SendMailResponse, error) {
	m.sent = append(m.sent, req)
	return &mailv1.SendMailResponse{}, m.fail
}

func TestSendCode(t *testing.T) {
	t.Parallel()
	now, id, codes := time.Now(), uuid.New(), account.NewCodes("a secret", "")
	good := Letter{Code: codes.New(id, account.CodeConfirmation, now), Account: account.Account{UID: uuid.New(), Email: "amara@example.org", GivenName: "Amara"}}
	send := func(l Letter, at time.Time, m *mailer) error {
		w := &CodeMailWorker{Letters: letters{id: l}, Codes: codes, Mail: m, Now: func() time.Time { return at }}
		return w.Work(context.Background(), &river.Job[CodeMail]{Args: CodeMail{CodeID: id}})
	}

	t.Run("a mail that fails is sent again with the same key and the same code", func(t *testing.T) {
		t.Parallel()
		m := &mailer{fail: errors.New("mail is away")}
		require.Error(t, send(good, now, m))
		m.fail = nil
		require.NoError(t, send(good, now, m))
		require.Len(t, m.sent, 2)
		require.Equal(t, id.String(), m.sent[0].GetIdempotencyKey())
		require.Equal(t, m.sent[0].GetIdempotencyKey(), m.sent[1].GetIdempotencyKey())
		require.NoError(t, codes.Check(good.Code, m.sent[1].GetConfirmationCode().GetCode(), now))
		require.Equal(t, good.Code.ExpiresAt.Unix(), m.sent[0].GetExpiresAt().GetSeconds())
	})

	t.Run("a code that waited while the secret was replaced is sent as it was made", func(t *testing.T) {
		t.Parallel()
		m, replaced := &mailer{}, account.NewCodes("another secret", "a secret")
		w := &CodeMailWorker{Letters: letters{id: good}, Codes: replaced, Mail: m, Now: func() time.Time { return now }}
		require.NoError(t, w.Work(t.Context(), &river.Job[CodeMail]{Args: CodeMail{CodeID: id}}))
		digits := m.sent[0].GetConfirmationCode().GetCode()
		require.NoError(t, codes.Check(good.Code, digits, now))
		require.NoError(t, replaced.Check(good.Code, digits, now))
	})

	t.Run("a code that is over is not sent", func(t *testing.T) {
		t.Parallel()
		used, replaced := good, good
		used.Code.Used, replaced.Code.Replaced = true, true
		m := &mailer{}
		require.NoError(t, send(used, now, m))
		require.NoError(t, send(replaced, now, m))
		require.NoError(t, send(good, now.Add(account.CodeLife), m))
		require.Empty(t, m.sent)
	})

	t.Run("the owner of a known address gets another letter, without a code", func(t *testing.T) {
		t.Parallel()
		known, m := good, &mailer{}
		known.Reserved, known.Owner = true, account.Account{UID: uuid.New(), Username: "owner", Email: "Amara@example.org"}
		require.NoError(t, send(known, now, m))
		require.Nil(t, m.sent[0].GetConfirmationCode())
		require.Equal(t, "owner", m.sent[0].GetAccountExists().GetUsername())
		require.Equal(t, known.Owner.UID.String(), m.sent[0].GetUid())
	})

	t.Run("a code that is gone, or never was, is not sent", func(t *testing.T) {
		t.Parallel()
		m := &mailer{}
		w := &CodeMailWorker{Letters: letters{}, Codes: codes, Mail: m, Now: time.Now}
		require.NoError(t, w.Work(context.Background(), &river.Job[CodeMail]{Args: CodeMail{CodeID: id}}))
		require.Empty(t, m.sent)
	})
}
