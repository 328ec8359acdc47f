package webdriver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// speaks greets and gives each message's answer, as Firefox does.
func speaks(t *testing.T, answer func(number int, command string, params map[string]any) string) *Session {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		say := func(text string) { _, _ = fmt.Fprintf(conn, "%d:%s", len(text), text) }
		say(`{"applicationType":"gecko","marionetteProtocol":3}`)
		for in := bufio.NewReader(conn); ; {
			head, err := in.ReadString(':')
			if err != nil {
				return
			}
			size, _ := strconv.Atoi(strings.TrimSuffix(head, ":"))
			content := make([]byte, size)
			_, _ = io.ReadFull(in, content)
			var kind, number int
			var command string
			var params map[string]any
			_ = json.Unmarshal(content, &[]any{&kind, &number, &command, &params})
			say(answer(number, command, params))
		}
	}()
	wire, err := connect(t.Context(), listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = wire.conn.Close() })
	return &Session{wire: wire}
}

func TestFirefoxIsAskedByMessagesWithTheirLengths(t *testing.T) {
	t.Parallel()
	s := speaks(t, func(number int, command string, params map[string]any) string {
		switch command {
		case "WebDriver:ExecuteScript":
			return fmt.Sprintf(`[1,%d,null,{"value":{%q:"e1"}}]`, number, ElementKey)
		case "WebDriver:GetWindowHandles":
			return fmt.Sprintf(`[1,%d,null,["a","ü"]]`, number)
		case "WebDriver:ElementClick":
			return fmt.Sprintf(`[1,%d,{"error":"no such element","message":%q},null]`, number, params["id"])
		}
		return fmt.Sprintf(`[1,%d,null,{"value":null}]`, number)
	})
	require.NoError(t, s.Reload(t.Context()))
	found, err := s.Find(t.Context(), "return document.body")
	require.NoError(t, err)
	require.Equal(t, Element("e1"), found)
	tabs, err := s.Tabs(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"a", "ü"}, tabs)
	err = s.Click(t.Context(), found)
	require.EqualError(t, err, "no such element: e1")
	require.True(t, Passing(err))
}

func TestAnAnswerThatDoesNotComeIsWaitedForAsLongAsTheCallerSays(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan struct{})
	s := speaks(t, func(int, string, map[string]any) string {
		close(asked)
		<-ctx.Done()
		return ""
	})
	go func() {
		<-asked
		cancel()
	}()
	require.Error(t, s.Reload(ctx))
}

func TestADriverIsAskedByThePathsOfTheProtocol(t *testing.T) {
	t.Parallel()
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, r.Method+" "+r.URL.Path+" "+string(body))
		switch r.URL.Path {
		case "/session":
			_, _ = io.WriteString(w, `{"value":{"sessionId":"s1","capabilities":{}}}`)
		case "/session/s1/screenshot":
			_, _ = io.WriteString(w, `{"value":"UE5H"}`)
		case "/session/s1/url":
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, `{"value":{"error":"insecure certificate","message":"no"}}`)
		default:
			_, _ = io.WriteString(w, `{"value":null}`)
		}
	}))
	t.Cleanup(server.Close)
	d := &driver{address: server.URL}
	require.NoError(t, d.begin(t.Context(), map[string]any{"acceptInsecureCerts": true}))
	s := &Session{wire: d}
	require.NoError(t, s.Type(t.Context(), "e1", "words"))
	picture, err := s.Picture(t.Context())
	require.NoError(t, err)
	require.Equal(t, "PNG", string(picture))
	err = s.Go(t.Context(), "https://localhost")
	require.EqualError(t, err, "insecure certificate: no")
	require.False(t, Passing(err))
	require.Equal(t, []string{
		`POST /session {"capabilities":{"alwaysMatch":{"acceptInsecureCerts":true}}}`,
		`POST /session/s1/element/e1/value {"id":"e1","text":"words"}`,
		`GET /session/s1/screenshot `,
		`POST /session/s1/url {"url":"https://localhost"}`,
	}, asked)
}
