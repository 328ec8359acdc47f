package guard_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/guard"
	"serein.app/services/platform/server"
	"serein.app/services/testkit"
)

// anybody is a guard that lets every request through.
func anybody(next http.Handler) http.Handler {
	return guard.New(guard.Config{Reads: guard.Limit{Name: "all", Count: 1000, Per: time.Second, Burst: 1000}}, time.Now).Wrap(next)
}

// connection stands in for one of net/http's, behind the writer of somebody else.
type connection struct {
	*httptest.ResponseRecorder
	reads, writes []time.Time
}

func (c *connection) SetReadDeadline(at time.Time) error { c.reads = append(c.reads, at); return nil }

func (c *connection) SetWriteDeadline(at time.Time) error {
	c.writes = append(c.writes, at)
	return nil
}

type behind struct{ http.ResponseWriter }

func (b behind) Unwrap() http.ResponseWriter { return b.ResponseWriter }

func serve(handler http.Handler, method, body string) *connection {
	c := &connection{ResponseRecorder: httptest.NewRecorder()}
	var sent io.Reader
	if body != "" {
		sent = strings.NewReader(body)
	}
	anybody(handler).ServeHTTP(behind{c}, httptest.NewRequest(method, "/", sent))
	return c
}

func TestABodyHasADeadlineWhetherItsHandlerReadsItOrNot(t *testing.T) {
	t.Parallel()
	nobody := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	for method, closes := range map[string]bool{http.MethodGet: true, http.MethodHead: true, http.MethodPost: false, http.MethodDelete: false} {
		c := serve(nobody, method, "unread")
		require.Len(t, c.reads, 1, method)
		require.WithinRange(t, c.reads[0], time.Now(), time.Now().Add(10*time.Second), method)
		require.Equal(t, closes, c.Header().Get("Connection") == "close", method)
	}
	require.Empty(t, serve(nobody, http.MethodGet, "").reads, "what has no body may be answered after any time")
	read := serve(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }), http.MethodPost, "read")
	require.Len(t, read.reads, 2)
	require.Zero(t, read.reads[1], "a body that has arrived has no deadline left")
}

func TestAnUploadHasTheTimeThatItsHandlerGivesItAndNotThatOfEveryBody(t *testing.T) {
	t.Parallel()
	c := serve(guard.Bodies(1<<20, time.Hour, http.NotFoundHandler()), http.MethodPost, "a sound of many megabytes")
	require.Equal(t, http.StatusNotFound, c.Code, "it was taken")
	require.GreaterOrEqual(t, len(c.reads), 3)
	require.WithinRange(t, c.reads[1], time.Now().Add(time.Hour/2), time.Now().Add(time.Hour))
	require.Zero(t, c.reads[len(c.reads)-1], "and there is none once it has arrived")
}

func TestAWriteHasADeadlineBehindTheWritersOfOthersToo(t *testing.T) {
	t.Parallel()
	c := serve(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "a page") }), http.MethodGet, "")
	require.NotEmpty(t, c.writes)
	require.WithinRange(t, c.writes[len(c.writes)-1], time.Now(), time.Now().Add(20*time.Second))
}

// public serves a handler that reads no body, under those caps.
func public(t *testing.T, caps *guard.Connections) (addr string, began chan struct{}) {
	t.Helper()
	listener, err := server.Listen(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	began = make(chan struct{}, 100)
	s := &http.Server{ReadHeaderTimeout: testkit.Patience, Handler: anybody(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { began <- struct{}{} }))}
	go func() { _ = caps.Serve(s, listener) }()
	t.Cleanup(func() { _ = s.Close() })
	return listener.Addr().String(), began
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func TestConnectionsWhoseBodiesDoNotComeMakeRoomForAVisitor(t *testing.T) {
	t.Parallel()
	const most = 4
	addr, began := public(t, guard.NewConnections(most, 100, nil))
	for range most {
		_, err := fmt.Fprint(dial(t, addr), "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n1")
		require.NoError(t, err)
		<-began
	}
	visitor := dial(t, addr)
	require.NoError(t, visitor.SetDeadline(time.Now().Add(testkit.Patience)))
	_, err := fmt.Fprint(visitor, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	require.NoError(t, err)
	res, err := http.ReadResponse(bufio.NewReader(visitor), nil)
	require.NoError(t, err, "the visitor was let in")
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusOK, res.StatusCode)
}

func TestABodyThatIsMalformedIsAFaultOfItsSenderAndNoSlowOne(t *testing.T) {
	t.Parallel()
	listener := httptest.NewServer(anybody(guard.SmallBodies(http.NotFoundHandler())))
	t.Cleanup(listener.Close)
	conn := dial(t, listener.Listener.Addr().String())
	_, err := fmt.Fprint(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n")
	require.NoError(t, err)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusBadRequest, res.StatusCode, string(body))
	require.Contains(t, string(body), "arrived incomplete")
}

func TestRFC9110ARangeInAnotherUnitIsIgnored(t *testing.T) {
	t.Parallel()
	whole := anybody(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader("a quiet evening"))
	}))
	for unit, status := range map[string]int{"items=0-1": http.StatusOK, "bytes=0-1": http.StatusPartialContent, "bytes=99-": http.StatusRequestedRangeNotSatisfiable} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Range", unit)
		whole.ServeHTTP(w, r)
		require.Equal(t, status, w.Code, unit)
	}
}
