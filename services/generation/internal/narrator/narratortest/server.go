package narratortest

import (
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
)

// Fault answers a request wrongly; good is what a right answer would have been, of that media type.
type Fault func(w http.ResponseWriter, r *http.Request, media string, good []byte)

// Server is a vendor's. The first requests meet its faults, one each, and the others are answered well.
type Server struct {
	*httptest.Server
	Vendor Vendor

	mu       sync.Mutex
	faults   []Fault
	requests []Request
	usual    Fault
}

// Request is one that a Server was sent.
type Request struct {
	*http.Request
	Body map[string]any
}

// Vendor is what a vendor's documents say.
type Vendor struct {
	// Route is a pattern of http.ServeMux.
	Route string
	// Answer gives the sound of a request and its media type, or the status and the body of a refusal.
	Answer func(r Request) (status int, media string, body []byte)
}

// Serve starts a Server.
func Serve(tb testing.TB, v Vendor, faults ...Fault) *Server {
	tb.Helper()
	s := &Server{Vendor: v, faults: faults}
	mux := http.NewServeMux()
	mux.HandleFunc(v.Route, s.answer)
	s.Server = httptest.NewServer(mux)
	tb.Cleanup(s.Close)
	return s
}

// Always has every further request meet that fault; nil ends it.
func (s *Server) Always(f Fault) { s.mu.Lock(); defer s.mu.Unlock(); s.usual = f }

// Requests are those that came.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	in := Request{Request: r}
	raw, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(raw, &in.Body) != nil {
		http.Error(w, "no JSON", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, in)
	fault := s.usual
	if len(s.faults) > 0 {
		fault, s.faults = s.faults[0], s.faults[1:]
	}
	s.mu.Unlock()
	status, media, body := s.Vendor.Answer(in)
	if status == http.StatusOK && fault != nil {
		fault(w, r, media, body)
		return
	}
	w.Header().Set("Content-Type", media)
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// Status refuses with a status; after is the Retry-After in seconds, without one where it is empty.
func Status(code int, after string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ string, _ []byte) {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(code)
		_, _ = w.Write([]byte(`{"error":{"message":"not now"}}`))
	}
}

// send answers with a body of that media type.
func send(change func(good []byte) []byte) Fault {
	return func(w http.ResponseWriter, _ *http.Request, media string, good []byte) {
		w.Header().Set("Content-Type", media)
		_, _ = w.Write(change(append([]byte(nil), good...)))
	}
}

// Faults by name, each of which makes an answer that is not the speech of the text.
var Faults = map[string]Fault{
	"nothing":        send(func([]byte) []byte { return nil }),
	"half":           send(func(good []byte) []byte { return good[:len(good)/4*2] }),
	"an odd byte":    send(func(good []byte) []byte { return good[:len(good)-1] }),
	"four times":     send(func(good []byte) []byte { return append(append(good, good...), append(good, good...)...) }),
	"silence":        send(func(good []byte) []byte { return make([]byte, len(good)) }),
	"a file":         send(func(good []byte) []byte { return append([]byte("ID3\x04"), good...) }),
	"noise":          send(func(good []byte) []byte { return noise(len(good)) }),
	"noise later":    send(func(good []byte) []byte { return append(good[:len(good)/4*2], noise(len(good)/4*2)...) }),
	"a header later": send(func(good []byte) []byte { return append(good[:len(good)/4*2], WAV(good[:len(good)/4*2], 24000, 0)...) }),
	"an error later": send(func(good []byte) []byte {
		return append(good, `{"error":{"type":"server_error","message":"The server had an error while processing your request."}}  `...)
	}),
	"another type":    other("audio/mpeg"),
	"a text":          other("application/json"),
	"no type":         other(""),
	"dropped":         drop(true),
	"dropped at once": drop(false),
	"without an end":  func(w http.ResponseWriter, r *http.Request, media string, _ []byte) { endless(w, r, media) },
	"somewhere else": func(w http.ResponseWriter, r *http.Request, _ string, _ []byte) {
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	},
	"a server's fault": Status(http.StatusInternalServerError, ""),
}

func noise(n int) []byte {
	data := make([]byte, n)
	source := rand.NewChaCha8([32]byte{1})
	_, _ = source.Read(data)
	return data
}

func other(media string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ string, good []byte) {
		w.Header()["Content-Type"] = []string{media}
		_, _ = w.Write(good)
	}
}

// drop closes the connection, in the middle of the answer or before it.
func drop(began bool) Fault {
	return func(w http.ResponseWriter, _ *http.Request, media string, good []byte) {
		if began {
			w.Header().Set("Content-Type", media)
			w.Header().Set("Content-Length", strconv.Itoa(len(good)))
			_, _ = w.Write(good[:len(good)/2])
			_ = http.NewResponseController(w).Flush()
		}
		panic(http.ErrAbortHandler)
	}
}

// endless sends more than any speech has.
func endless(w http.ResponseWriter, r *http.Request, media string) {
	w.Header().Set("Content-Type", media)
	block := PCM("Breathe in. Breathe out.", 24000)
	for sent := 0; sent < 64<<20 && r.Context().Err() == nil; sent += len(block) {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}

// Slow answers when the request is given up.
func Slow(_ http.ResponseWriter, r *http.Request, _ string, _ []byte) { <-r.Context().Done() }
