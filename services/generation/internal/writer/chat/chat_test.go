package chat_test

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
	"serein.app/services/generation/internal/writer/chat"
)

const key = "sk-0123456789abcdef0123456789abcdef"

var ask = writer.Ask{System: "Write.", Turns: []string{"One.", "Two.", "Three."}, MaxTokens: 1500}

// streamed asks a stand-in for the vendor.
func streamed(t *testing.T, vendor http.HandlerFunc) (said string, used writer.Usage, err error) {
	t.Helper()
	server := httptest.NewServer(vendor)
	t.Cleanup(server.Close)
	used, err = chat.New(server.URL+"/v1", key, "model-1").Stream(t.Context(), ask, func(piece string) error {
		said += piece
		return nil
	})
	return said, used, err
}

// chunk is a piece of a streamed completion as OpenAI frames it.
func chunk(delta, finish string) string {
	if finish == "" {
		finish = "null"
	}
	return fmt.Sprintf(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1764500000,"model":"model-1","system_fingerprint":"fp_1","service_tier":"default",`+
		`"choices":[{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}],"usage":null,"obfuscation":"xK2"}`, delta, finish)
}

const usage = `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1764500000,"model":"model-1","choices":[],` +
	`"usage":{"prompt_tokens":900,"completion_tokens":620,"total_tokens":1520,"completion_tokens_details":{"reasoning_tokens":0}}}`

// stream writes events as the vendor does.
func stream(w http.ResponseWriter, events ...string) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	for _, e := range events {
		fmt.Fprintf(w, "data: %s\n\n", e)
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
		if json.NewDecoder(r.Body).Decode(&asked) != nil || r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer "+key {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		delete(asked, "messages")
		wanted := map[string]any{"model": "model-1", "stream": true, "max_completion_tokens": 1500.0, "stream_options": map[string]any{"include_usage": true}}
		if fmt.Sprint(asked) != fmt.Sprint(wanted) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		stream(w, chunk(`{"role":"assistant","content":"","refusal":null}`, ""), chunk(`{"content":"{\"n\""}`, ""), chunk(`{"content":":1}"}`, ""), chunk(`{}`, `"stop"`), usage, "[DONE]")
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
			Messages []struct{ Role, Content string }
		}
		_ = json.NewDecoder(r.Body).Decode(&asked)
		roles <- fmt.Sprint(asked.Messages)
		stream(w, chunk(`{"content":"x"}`, `"stop"`), "[DONE]")
	})
	require.NoError(t, err)
	require.Equal(t, "[{system Write.} {user One.} {assistant Two.} {user Three.}]", <-roles)
}

func TestAnEndThatIsNoneIsAFailure(t *testing.T) {
	t.Parallel()
	begin := chunk(`{"role":"assistant","content":"{"}`, "")
	for name, c := range map[string]struct {
		vendor http.HandlerFunc
		cause  writer.Cause
		again  bool
		after  time.Duration
	}{
		"a refusal": {func(w http.ResponseWriter, _ *http.Request) {
			stream(w, chunk(`{"refusal":"I'm sorry"}`, ""), chunk(`{}`, `"stop"`), "[DONE]")
		}, writer.Refused, false, 0},
		"moderation": {func(w http.ResponseWriter, _ *http.Request) {
			stream(w, begin, chunk(`{}`, `"content_filter"`), usage, "[DONE]")
		}, writer.Refused, false, 0},
		"moderation before":  {refuse(400, `{"error":{"message":"The response was filtered","type":null,"param":"prompt","code":"content_filter","status":400}}`), writer.Refused, false, 0},
		"too long":           {func(w http.ResponseWriter, _ *http.Request) { stream(w, begin, chunk(`{}`, `"length"`), "[DONE]") }, writer.Half, false, 0},
		"a tool":             {func(w http.ResponseWriter, _ *http.Request) { stream(w, begin, chunk(`{}`, `"tool_calls"`), "[DONE]") }, writer.Half, false, 0},
		"no finish":          {func(w http.ResponseWriter, _ *http.Request) { stream(w, begin, "[DONE]") }, writer.Half, false, 0},
		"the stream ends":    {func(w http.ResponseWriter, _ *http.Request) { stream(w, begin) }, writer.Half, false, 0},
		"the line is cut":    {func(w http.ResponseWriter, _ *http.Request) { stream(w, begin); panic(http.ErrAbortHandler) }, writer.Away, true, 0},
		"an empty answer":    {func(http.ResponseWriter, *http.Request) {}, writer.Half, false, 0},
		"a page":             {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html><body>Welcome</body></html>") }, writer.Half, false, 0},
		"a chunk is no JSON": {func(w http.ResponseWriter, _ *http.Request) { stream(w, begin, `{"choices":[`) }, writer.Away, true, 0},
		"an error within": {func(w http.ResponseWriter, _ *http.Request) {
			stream(w, begin, `{"error":{"message":"The server had an error","type":"server_error","param":null,"code":null}}`)
		}, writer.Away, true, 0},
		"rate limit":          {refuse(429, `{"error":{"message":"Rate limit reached","type":"requests","param":null,"code":"rate_limit_exceeded"}}`, "Retry-After", "7"), writer.Limited, true, 7 * time.Second},
		"rate limit, no time": {refuse(429, `{"error":{"message":"Rate limit reached"}}`), writer.Limited, true, 0},
		"a fault":             {refuse(500, `{"error":{"message":"boom","type":"server_error"}}`), writer.Away, true, 0},
		"overloaded":          {refuse(503, `upstream connect error`, "Retry-After", "2"), writer.Away, true, 2 * time.Second},
		"a wrong key":         {refuse(401, `{"error":{"message":"Incorrect API key provided: sk-01***cdef","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`), writer.Rejected, false, 0},
		"an unknown model":    {refuse(404, `{"error":{"message":"The model does not exist","type":"invalid_request_error","param":null,"code":"model_not_found"}}`), writer.Rejected, false, 0},
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
		require.NotContains(t, err.Error(), "sk-", name)
		require.NotContains(t, err.Error(), "message", name)
	}
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	_, err := chat.New("http://127.0.0.1:1/v1", "", "m").Stream(t.Context(), ask, func(string) error { return nil })
	var f *writer.ModelError
	require.ErrorAs(t, err, &f)
	require.Equal(t, writer.Away, f.Cause)
}

func TestTheEndOfTheQuestionEndsTheCall(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stream(w, chunk(`{"content":"x"}`, ""))
		<-r.Context().Done()
		close(gone)
	}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := chat.New(server.URL, key, "m").Stream(ctx, ask, func(string) error { cancel(); return nil })
	require.ErrorIs(t, err, context.Canceled)
	<-gone
}

func TestWhatTheReaderSaysEndsTheCall(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stream(w, chunk(`{"content":"x"}`, ""))
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	bad := &writer.ModelError{Cause: writer.Malformed}
	_, err := chat.New(server.URL, key, "m").Stream(t.Context(), ask, func(string) error { return bad })
	require.ErrorIs(t, err, bad)
}

// A key in the environment is not that of the settings.
func TestNoKeyIsTakenFromTheEnvironment(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", strings.Repeat("e", 40))
	sent := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent <- r.Header.Get("Authorization")
		stream(w, chunk(`{"content":"x"}`, `"stop"`), "[DONE]")
	}))
	t.Cleanup(server.Close)
	_, err := chat.New(server.URL, "", "m").Stream(t.Context(), ask, func(string) error { return nil })
	require.NoError(t, err)
	require.Empty(t, <-sent)
}
