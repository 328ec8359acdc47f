package messages_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/writer"
	"serein.app/services/generation/internal/writer/messages"
)

const key = "sk-ant-0123456789abcdef0123456789abcdef"

var ask = writer.Ask{System: "Write.", Turns: []string{"One.", "Two.", "Three."}, MaxTokens: 1500}

// streamed asks a stand-in for the vendor.
func streamed(t *testing.T, vendor http.HandlerFunc) (said string, used writer.Usage, err error) {
	t.Helper()
	server := httptest.NewServer(vendor)
	t.Cleanup(server.Close)
	used, err = messages.New(server.URL, key, "model-1").Stream(t.Context(), ask, func(piece string) error {
		said += piece
		return nil
	})
	return said, used, err
}

// Events of a streamed message, as Anthropic frames them.
const (
	start = `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"model-1","content":[],"stop_reason":null,"stop_sequence":null,` +
		`"usage":{"input_tokens":25,"cache_creation_input_tokens":0,"cache_read_input_tokens":875,"output_tokens":1}}}`
	block      = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	ping       = `{"type":"ping"}`
	blockStop  = `{"type":"content_block_stop","index":0}`
	stopped    = `{"type":"message_stop"}`
	overloaded = `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`
)

func delta(text string) string {
	return fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%q}}`, text)
}

func end(reason string) string {
	return fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":620}}`, reason)
}

// stream writes events with their names.
func stream(w http.ResponseWriter, events ...string) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	for _, e := range events {
		var named struct{ Type string }
		_ = json.Unmarshal([]byte(e), &named)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", named.Type, e)
		w.(http.Flusher).Flush()
	}
}

func refuse(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func TestAnAnswerComesInPieces(t *testing.T) {
	t.Parallel()
	said, used, err := streamed(t, func(w http.ResponseWriter, r *http.Request) {
		var asked map[string]any
		if json.NewDecoder(r.Body).Decode(&asked) != nil || r.URL.Path != "/v1/messages" || r.Header.Get("X-Api-Key") != key || r.Header.Get("Anthropic-Version") == "" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		delete(asked, "messages")
		wanted := map[string]any{"model": "model-1", "stream": true, "max_tokens": 1500.0, "system": []any{map[string]any{"text": "Write.", "type": "text"}}}
		if fmt.Sprint(asked) != fmt.Sprint(wanted) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		stream(w, start, block, ping, delta(`{"n"`), delta(`:1}`), blockStop, end("end_turn"), stopped)
	})
	require.NoError(t, err)
	require.Equal(t, `{"n":1}`, said)
	require.Equal(t, writer.Usage{In: 900, Out: 620}, used)
}

func TestTurnsKeepTheirRoles(t *testing.T) {
	t.Parallel()
	roles := make(chan string, 1)
	_, _, err := streamed(t, func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Messages []struct {
				Role    string
				Content []struct{ Text string }
			}
		}
		_ = json.NewDecoder(r.Body).Decode(&asked)
		roles <- fmt.Sprint(asked.Messages)
		stream(w, start, block, delta("x"), blockStop, end("end_turn"), stopped)
	})
	require.NoError(t, err)
	require.Equal(t, "[{user [{One.}]} {assistant [{Two.}]} {user [{Three.}]}]", <-roles)
}

func TestAnEndThatIsNoneIsAFailure(t *testing.T) {
	t.Parallel()
	events := func(all ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { stream(w, all...) }
	}
	for name, c := range map[string]struct {
		vendor http.HandlerFunc
		cause  writer.Cause
		again  bool
		after  time.Duration
	}{
		"a refusal":       {events(start, block, delta("{"), blockStop, end("refusal"), stopped), writer.Refused, false, 0},
		"too long":        {events(start, block, delta("{"), blockStop, end("max_tokens"), stopped), writer.Half, false, 0},
		"a full window":   {events(start, block, delta("{"), blockStop, end("model_context_window_exceeded"), stopped), writer.Half, false, 0},
		"no stop":         {events(start, block, delta("{"), blockStop, end("end_turn")), writer.Half, false, 0},
		"the stream ends": {events(start, block, delta("{")), writer.Half, false, 0},
		"the line is cut": {func(w http.ResponseWriter, _ *http.Request) {
			stream(w, start, block, delta("{"))
			panic(http.ErrAbortHandler)
		}, writer.Away, true, 0},
		"an empty answer":    {func(http.ResponseWriter, *http.Request) {}, writer.Half, false, 0},
		"a page":             {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html><body>Welcome</body></html>") }, writer.Half, false, 0},
		"an event is broken": {events(start, block, `{"type":"content_block_delta","index":`), writer.Half, false, 0},
		"overloaded within":  {events(start, block, delta("{"), overloaded), writer.Limited, true, 0},
		"a fault within":     {events(start, `{"type":"error","error":{"type":"api_error","message":"Internal server error"}}`), writer.Away, true, 0},
		"rate limit":         {refuse(429, `{"type":"error","error":{"type":"rate_limit_error","message":"Too many"},"request_id":"req_1"}`, "Retry-After", "7"), writer.Limited, true, 7 * time.Second},
		"overloaded":         {refuse(529, overloaded), writer.Limited, true, 0},
		"a fault":            {refuse(500, `{"type":"error","error":{"type":"api_error","message":"Internal server error"}}`), writer.Away, true, 0},
		"a gateway's fault":  {refuse(502, `<html>Bad gateway</html>`), writer.Away, true, 0},
		"a wrong key":        {refuse(401, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`), writer.Rejected, false, 0},
		"no money":           {refuse(400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}`), writer.Rejected, false, 0},
		"sent elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusTemporaryRedirect)
		}, writer.Half, false, 0},
	} {
		_, _, err := streamed(t, c.vendor)
		var f *writer.ModelError
		require.ErrorAs(t, err, &f, name)
		require.Equal(t, c.cause, f.Cause, name)
		require.Equal(t, c.again, f.Again, name)
		require.Equal(t, c.after, f.After, name)
		require.NotContains(t, err.Error(), "message", name)
	}
}

func TestTheEndOfTheQuestionEndsTheCall(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stream(w, start, block, delta("x"))
		<-r.Context().Done()
		close(gone)
	}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithCancel(t.Context())
	used, err := messages.New(server.URL, key, "m").Stream(ctx, ask, func(string) error { cancel(); return nil })
	require.ErrorIs(t, err, context.Canceled)
	require.EqualValues(t, 900, used.In, "what was read is paid")
	<-gone
}

// A key in the environment is not that of the settings.
func TestNoKeyIsTakenFromTheEnvironment(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", strings.Repeat("e", 40))
	t.Setenv("ANTHROPIC_AUTH_TOKEN", strings.Repeat("t", 40))
	sent := make(chan http.Header, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent <- r.Header.Clone()
		stream(w, start, block, delta("x"), blockStop, end("end_turn"), stopped)
	}))
	t.Cleanup(server.Close)
	_, err := messages.New(server.URL, key, "m").Stream(t.Context(), ask, func(string) error { return nil })
	require.NoError(t, err)
	header := <-sent
	require.Equal(t, key, header.Get("X-Api-Key"))
	require.Empty(t, header.Get("Authorization"))
}
