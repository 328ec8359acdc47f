package mail

import (
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gosmtp "github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"serein.app/services/mail/internal/smtp/smtptest"
	"serein.app/services/testkit"
)

// metrics reads what an operator's collector reads.
func (r *harness) metrics(t *testing.T) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+"/metrics", nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, res.Body.Close()) }()
	require.Equal(t, http.StatusOK, res.StatusCode)
	seen, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return string(seen)
}

func TestTheMetricsCountWhatBecameOfMails(t *testing.T) {
	t.Parallel()
	r := setup(t)
	arrived, goOn := make(chan struct{}), make(chan struct{})
	deliver := sync.OnceFunc(func() { close(goOn) })
	t.Cleanup(deliver)
	r.smtp.Fail = func(m smtptest.Message) error {
		switch m.To[0] {
		case "nobody@example.com":
			return &gosmtp.SMTPError{Code: 550, Message: "no such mailbox"}
		case "slow@example.com":
			arrived <- struct{}{}
			<-goOn
		}
		return nil
	}
	var cuts atomic.Int32
	r.smtp.Silent = func(m smtptest.Message) bool { return m.To[0] == "cut@example.com" && cuts.Add(1) == 1 }
	r.start(t)
	send := func(to string) string {
		req := confirmation(to)
		req.To = to
		return r.send(t, req)
	}
	require.Equal(t, "sent", r.ends(t, send("ada@example.com")).State)
	require.Equal(t, "failed", r.ends(t, send("nobody@example.com")).State)
	require.Equal(t, "sent", r.ends(t, send("cut@example.com")).State)
	slow := send("slow@example.com")
	select {
	case <-arrived:
	case <-time.After(testkit.Patience):
		t.Fatal("it never came")
	}
	seen := r.metrics(t)
	require.Regexp(t, `serein_mail_ended[a-z_]*\{.*outcome="sent".*\} 2`, seen)
	require.Regexp(t, `serein_mail_ended[a-z_]*\{.*outcome="rejected".*\} 1`, seen)
	require.Regexp(t, `serein_mail_attempts_uncertain[a-z_]*\{.*\} 1`, seen)
	require.Regexp(t, `serein_mail_queued\{.*\} 1`, seen)
	require.Regexp(t, `serein_mail_queued_oldest[a-z_]*\{.*\} [0-9.e-]*[1-9]`, seen)

	deliver()
	require.Equal(t, "sent", r.ends(t, slow).State)
	require.Regexp(t, `serein_mail_queued\{.*\} 0`, r.metrics(t))
}
