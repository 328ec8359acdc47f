package gateway

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/web"
	"serein.app/gateway/internal/webhook"
	"serein.app/proto/gen/serein/billing/v1/billingv1connect"
	"serein.app/services/platform/crowd"
	"serein.app/services/platform/guard"
)

func (r *running) dial(tb testing.TB) net.Conn {
	tb.Helper()
	conn, err := (&net.Dialer{}).DialContext(tb.Context(), "tcp", strings.TrimPrefix(r.URL, "http://"))
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = conn.Close() })
	return conn
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}

// Not parallel: it measures the memory of the process.
func TestTwoThousandSlowConnectionsCostLittleAndStopNobody(t *testing.T) { //nolint:paralleltest // measures memory
	s := start(t, 1)
	g := s.gateways[0]
	good := g.browser(t)
	require.Equal(t, http.StatusOK, good.call(t, getSession, "{}").StatusCode)
	before := heap()
	for i := range 2000 {
		conn := g.dial(t)
		_, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nX-Slow: %d", getSession, i)
		if err != nil { // already cut: the cap works
			continue
		}
		if i%200 == 0 {
			require.Equal(t, http.StatusOK, g.browser(t).call(t, getSession, "{}").StatusCode, "a visitor at the same address")
		}
	}
	require.Eventually(t, func() bool { return g.conns.Open() <= guard.MaxConnsPerAddress }, patience, time.Millisecond)
	require.Equal(t, http.StatusOK, good.call(t, getSession, "{}").StatusCode)
	require.Less(t, heap()-before, int64(32<<20))
}

func TestAHugeBodyIsCutEarly(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	conn := s.gateways[0].dial(t)
	_, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nX-Serein: 1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n", getSession)
	require.NoError(t, err)
	chunk := []byte("10000\r\n" + strings.Repeat(" ", 0x10000) + "\r\n")
	sent := 0
	for ; sent < 1<<30; sent += len(chunk) {
		if _, err := conn.Write(chunk); err != nil {
			break
		}
	}
	require.Less(t, sent, 32<<20, "of a gigabyte, only what the sockets hold")

	declared := s.gateways[0].browser(t).send(t, http.MethodPost, getSession, strings.NewReader(strings.Repeat(" ", 70_000)),
		"Content-Type", "application/json", "X-Serein", "1")
	require.Equal(t, http.StatusTooManyRequests, declared.StatusCode)
	require.Contains(t, declared.body, "resource_exhausted")
}

func TestAGzipBombIsRefusedAndCheap(t *testing.T) { //nolint:paralleltest // measures memory
	s := start(t, 1)
	b := s.gateways[0].browser(t)
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, err := io.CopyN(z, zeros{}, 50<<20)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.Less(t, bomb.Len(), guard.MaxBody, "small enough to pass the first limit")
	before := heap()
	var allocated runtime.MemStats
	runtime.ReadMemStats(&allocated)
	first := allocated.TotalAlloc
	for range 100 {
		got := b.send(t, http.MethodPost, getSession, bytes.NewReader(bomb.Bytes()), "Content-Type", "application/json", "Content-Encoding", "gzip", "X-Serein", "1")
		require.Equal(t, http.StatusTooManyRequests, got.StatusCode)
	}
	runtime.ReadMemStats(&allocated)
	require.Less(t, heap()-before, int64(32<<20))
	require.Less(t, (allocated.TotalAlloc-first)/100, uint64(1<<20), "a bomb unpacks to 64 KiB, not to 50 MiB")
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestHeaderFloodsAreCut(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	for name, flood := range map[string]func(int) string{
		"one long header": func(int) string { return strings.Repeat("a", 100) },
		"many headers":    func(i int) string { return fmt.Sprintf("\r\nX-%d: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy", i) },
	} {
		conn := s.gateways[0].dial(t)
		_, err := fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: x\r\nX-Flood: ")
		require.NoError(t, err)
		for i := range 2000 {
			if _, err = fmt.Fprint(conn, flood(i)); err != nil {
				break
			}
		}
		_, _ = fmt.Fprint(conn, "\r\n\r\n")
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil { // reset before the answer could be read
			var timeout net.Error
			require.False(t, errors.As(err, &timeout) && timeout.Timeout(), name)
			continue
		}
		_ = res.Body.Close()
		require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, res.StatusCode, name)
	}
}

func TestAHeaderThatIsTooLargeIsAnsweredInTheFormOfWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	s := start(t, 1)
	b, long := s.gateways[0].browser(t), strings.Repeat("a", 40<<10)
	rest := b.get(t, "/api/GetUser", "X-Long", long)
	rest.failed(t, http.StatusRequestHeaderFieldsTooLarge, "REQUEST_TOO_LARGE")
	require.NotEmpty(t, rest.Header.Get("X-Request-Id"))
	call := b.send(t, http.MethodPost, getSession, strings.NewReader("{}"), "Content-Type", "application/json", "X-Serein", "1", "X-Long", long)
	require.Equal(t, "REQUEST_TOO_LARGE", call.reason(t))
	require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, b.get(t, "/", "X-Long", long).StatusCode)
	require.Equal(t, http.StatusOK, b.get(t, "/", "X-Long", strings.Repeat("a", 20<<10)).StatusCode)
}

func TestStrictLimitsHoldOverBothReplicas(t *testing.T) {
	t.Parallel()
	s := start(t, 2, scaled(1))
	accepted, refused := 0, answer{}
	for i := range 3 * crowd.Size {
		got := s.gateways[i%2].browser(t).call(t, "/serein.web.v1.AccountService/SignUp", signUp)
		if got.StatusCode == http.StatusOK {
			accepted++
		} else {
			refused = got
		}
	}
	require.Equal(t, crowd.Size, accepted)
	require.Equal(t, http.StatusTooManyRequests, refused.StatusCode)
	require.Contains(t, refused.body, "resource_exhausted")
	require.NotEmpty(t, refused.Header.Get("Retry-After"))
	require.Len(t, s.services.signUps, crowd.Size, "a refused call reaches nobody")

	forged := s.gateways[0].browser(t).send(t, http.MethodPost, "/serein.web.v1.AccountService/SignUp", strings.NewReader(signUp),
		"Content-Type", "application/json", "X-Serein", "1", "X-Forwarded-For", "6.6.6.6")
	require.Equal(t, http.StatusTooManyRequests, forged.StatusCode, "a forged address is no new address")

	s.redis.Close()
	still := s.gateways[0].browser(t).call(t, "/serein.web.v1.AccountService/SignUp", signUp)
	require.Contains(t, []int{http.StatusOK, http.StatusTooManyRequests}, still.StatusCode)
	for range 10 {
		s.gateways[0].browser(t).call(t, "/serein.web.v1.AccountService/SignUp", signUp)
	}
	require.LessOrEqual(t, len(s.services.signUps), crowd.Size+crowd.Size/2, "without Redis: this replica's own count")
}

// Each look at an order that waits is a question to the payment provider, which has a limit for all members together.
func TestOneMemberCannotUseUpThePaymentProvidersLimit(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1))
	member := s.member(t)
	const look = "/serein.web.v1.OrderService/GetOrder"
	for range 30 {
		require.NotEqual(t, http.StatusTooManyRequests, member.call(t, look, `{"orderId":"`+anOrder+`"}`).StatusCode)
	}
	over := member.call(t, look, `{"orderId":"`+anOrder+`"}`)
	require.Equal(t, http.StatusTooManyRequests, over.StatusCode)
	require.NotEmpty(t, over.Header.Get("Retry-After"))
	require.Equal(t, 30, s.services.asks(billingv1connect.CheckoutServiceCompleteCheckoutProcedure))
	for _, call := range []string{"GetMembership", "CancelMembership", "KeepMembership", "TakeCard"} {
		require.Equal(t, http.StatusTooManyRequests, member.call(t, membershipOf+call, "{}").StatusCode, "%s asks it too", call)
	}
	require.Equal(t, http.StatusTooManyRequests, member.call(t, membershipOf+"PreviewChange", `{"planId":"serein-premium","period":"month"}`).StatusCode)
	member.own(t, http.MethodPost, "/api/cancel-subscription", "{}").failed(t, http.StatusTooManyRequests, "TOO_MANY_REQUESTS")
	require.Equal(t, http.StatusOK, member.call(t, "/serein.web.v1.OrderService/ListOrders", "{}").StatusCode)
}

func TestNoLimitByAddressRefusesAClass(t *testing.T) {
	t.Parallel()
	for _, l := range []guard.Limit{
		addressLimit, signInLimit, web.SignUpLimit, web.ConfirmLimit, web.ResendLimit, web.CheckTitleLimit, web.ContactLimit, web.InviteLimit, web.BasketLimit, webhook.Limit,
	} {
		require.GreaterOrEqual(t, l.Burst, crowd.Size, l.Name)
	}
	require.GreaterOrEqual(t, guard.MaxConnsPerAddress, 5*crowd.Size, "a browser opens six connections, and five are enough for a page")
	s := start(t, 1, scaled(1))
	for i := range 30 {
		b := s.gateways[0].browser(t)
		require.Equal(t, http.StatusOK, b.call(t, signUpCall, strings.Replace(signUp, `"ada"`, fmt.Sprintf(`"pupil-%d"`, i), 1)).StatusCode)
		require.Equal(t, http.StatusSeeOther, b.get(t, "/auth/sign-in").StatusCode)
		require.Equal(t, http.StatusSeeOther, b.get(t, "/auth/sign-in").StatusCode)
	}
}

func TestSignInsBegunAreCounted(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1))
	b := s.gateways[0].browser(t)
	for range 2 * crowd.Size {
		require.Equal(t, http.StatusSeeOther, b.get(t, "/auth/sign-in").StatusCode)
	}
	over := b.get(t, "/auth/sign-in")
	require.Equal(t, http.StatusTooManyRequests, over.StatusCode)
	require.NotEmpty(t, over.Header.Get("Retry-After"))
	require.Contains(t, over.body, "take a breath")
}

func TestReadsOfOneAddressAreLimited(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(1))
	b := s.gateways[0].browser(t)
	last := 0
	for range 30*crowd.Size + 1 {
		last = b.get(t, "/auth/page.css").StatusCode
	}
	require.Equal(t, http.StatusTooManyRequests, last)
	s.clock.Move(time.Second)
	require.Equal(t, http.StatusOK, b.get(t, "/auth/page.css").StatusCode)
}

func TestWhoeverComesTooEarlyIsAnsweredInTheFormOfWhatTheyAskedFor(t *testing.T) {
	t.Parallel()
	s := start(t, 1, scaled(0.01)) // fifteen at once
	b := s.gateways[0].browser(t)
	for range 15 {
		b.get(t, "/auth/page.css")
	}
	const sentence = "That was a lot at once. Please take a breath and try again in a few seconds."
	form := map[string]answer{
		"a page":              b.get(t, "/journey", "Accept", "text/html,*/*;q=0.8", "Sec-Fetch-Dest", "document"),
		"an older browser's":  b.get(t, "/auth/sign-in", "Accept", "text/html,*/*;q=0.8"),
		"a call of the app":   b.call(t, "/serein.web.v1.SessionService/GetSession", "{}"),
		"a call of a program": b.get(t, "/api/getUserDetails", "Accept", "text/html"),
		"a part of a page":    b.get(t, "/auth/page.css", "Accept", "text/css,*/*;q=0.1", "Sec-Fetch-Dest", "style"),
	}
	for name, got := range form {
		require.Equal(t, http.StatusTooManyRequests, got.StatusCode, name)
		require.Equal(t, "1", got.Header.Get("Retry-After"), name)
		require.Contains(t, got.body, sentence, name)
	}
	for _, name := range []string{"a page", "an older browser's"} {
		require.Equal(t, "text/html; charset=utf-8", form[name].Header.Get("Content-Type"))
		require.Contains(t, form[name].body, "<h1>Please try again</h1>")
		require.Contains(t, form[name].body, `<a class="go" href="/">Back to Serein</a>`)
		require.Contains(t, form[name].Header.Get("Content-Security-Policy"), "default-src 'none'")
	}
	require.Equal(t, "application/json", form["a call of the app"].Header.Get("Content-Type"))
	require.Contains(t, form["a call of the app"].body, `"code":"resource_exhausted"`)
	form["a call of a program"].failed(t, http.StatusTooManyRequests, "TOO_MANY_REQUESTS")
}

const signUp = `{"username":"ada","email":"ada@example.org","givenName":"Ada","familyName":"Lovelace","password":"long enough",
	"ageConfirmed":true,"termsVersion":"` + termsVersion + `"}`
