package devparts_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/smtp"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/local/devparts"
	"serein.app/services/testkit/freeport"
)

// patience is for a machine that stands still for a while.
const patience = time.Minute

// running starts a part and ends it with the test.
func running(t *testing.T, environ map[string]string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- devparts.Run(ctx, environ, args) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
}

func address(t *testing.T) string {
	t.Helper()
	port, err := freeport.New()
	require.NoError(t, err)
	return fmt.Sprintf("127.0.0.1:%d", port)
}

// get gives the body of a page as soon as there is one.
func get(t *testing.T, url string) string {
	t.Helper()
	var body []byte
	require.Eventually(t, func() bool {
		res, err := http.Get(url)
		if err != nil {
			return false
		}
		defer func() { _ = res.Body.Close() }()
		body, err = io.ReadAll(res.Body)
		return err == nil && res.StatusCode == http.StatusOK
	}, patience, 20*time.Millisecond)
	return string(body)
}

func TestTheInboxShowsTheLettersThatItTakes(t *testing.T) {
	t.Parallel()
	page, post := address(t), address(t)
	samples := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"letters":[{"name":"welcome","subject":"A sample of `+r.URL.Path+`"}]}`)
	}))
	t.Cleanup(samples.Close)
	running(t, map[string]string{"PAGE_ADDR": page, "SMTP_ADDR": post, "DATA_DIR": filepath.Join(t.TempDir(), "new"), "MAIL_URL": samples.URL}, "inbox")
	get(t, "http://"+page)
	letter := []byte("From: a@serein.example\r\nTo: amara@serein.example\r\nSubject: Your code\r\n\r\n123456\r\n")
	require.NoError(t, smtp.SendMail(post, nil, "a@serein.example", []string{"amara@serein.example"}, letter))
	require.Contains(t, get(t, "http://"+page+"/api/messages?to=amara@serein.example"), "123456")
	require.Contains(t, get(t, "http://"+page+"/letters"), "A sample of /preview")
}

func TestThePaymentProviderLetsInWhoHasTheKey(t *testing.T) {
	t.Parallel()
	page, key := address(t), "sk_test_0123456789abcdef0123456789"
	running(t, map[string]string{
		"PAGE_ADDR": page, "PAYMENTS_URL": "http://" + page, "DATA_DIR": filepath.Join(t.TempDir(), "new"), "PUBLIC_URL": "http://127.0.0.1:1",
		"STRIPE_API_KEY": key, "STRIPE_WEBHOOK_SECRET": "whsec_0123456789abcdef0123456789",
	}, "payments")
	ask := func(with string) (status int) {
		require.Eventually(t, func() bool {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+page+"/v1/prices", nil)
			require.NoError(t, err)
			req.Header.Set("Authorization", "Bearer "+with)
			req.Header.Set("Stripe-Version", "2026-03-25.dahlia")
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				return false
			}
			status = res.StatusCode
			return res.Body.Close() == nil
		}, patience, 20*time.Millisecond)
		return status
	}
	require.Equal(t, http.StatusOK, ask(key))
	require.Equal(t, http.StatusUnauthorized, ask("sk_test_another"))
}

func TestAForwarderLeadsBothDirectionsOnUntilBothHaveEnded(t *testing.T) {
	t.Parallel()
	far, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = far.Close() })
	go func() { // answers only when its caller has said everything
		connection, err := far.Accept()
		if err != nil {
			return
		}
		said, _ := io.ReadAll(connection)
		_, _ = fmt.Fprintf(connection, "you said %s\n", said)
		_ = connection.Close()
	}()
	near := address(t)
	running(t, nil, "forward", near+"="+far.Addr().String())
	var connection net.Conn
	require.Eventually(t, func() bool {
		connection, err = net.Dial("tcp", near)
		return err == nil
	}, patience, 20*time.Millisecond)
	t.Cleanup(func() { _ = connection.Close() })
	_, err = io.WriteString(connection, "hello")
	require.NoError(t, err)
	require.NoError(t, connection.(*net.TCPConn).CloseWrite())
	answer, err := bufio.NewReader(connection).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "you said hello\n", answer)
}

func TestAForwarderEndsAConnectionThatLeadsNowhere(t *testing.T) {
	t.Parallel()
	near := address(t)
	running(t, nil, "forward", near+"="+address(t))
	require.Eventually(t, func() bool {
		connection, err := net.Dial("tcp", near)
		if err != nil {
			return false
		}
		defer func() { _ = connection.Close() }()
		_, err = io.ReadAll(connection)
		return err == nil
	}, patience, 20*time.Millisecond)
}

func TestAPartThatIsNotConfiguredSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "usage"},
		{[]string{"oven"}, "usage"},
		{[]string{"forward"}, "usage"},
		{[]string{"inbox"}, "SMTP_ADDR"},
		{[]string{"payments"}, "STRIPE_API_KEY"},
		{[]string{"forward", "127.0.0.1:0"}, "FROM=TO"},
		{[]string{"forward", "=identity:8080"}, "FROM=TO"},
	} {
		require.ErrorContains(t, devparts.Run(t.Context(), nil, c.args), c.says, "%v", c.args)
	}
}
