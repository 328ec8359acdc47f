package paymentsandbox

import (
	"net/http"
	"strings"
	"time"
)

// FaultKind is how the API fails.
type FaultKind string

// The faults.
const (
	// Away: the connection is cut before anything is done.
	Away FaultKind = "away"
	// Lost: the work is done and kept, and the connection is cut before the answer.
	Lost FaultKind = "lost"
	// Slow: the answer comes after Delay; the work is done then.
	Slow FaultKind = "slow"
	// Conflict, Busy and Down answer 409, 429 and 500 before anything is done; the request's key stays free.
	Conflict FaultKind = "conflict"
	Busy     FaultKind = "busy"
	Down     FaultKind = "down"
	// Broken answers 500 and, as Stripe does once it has begun, repeats that for the request's key for a day.
	Broken FaultKind = "broken"
)

// Fault makes requests of the API fail.
type Fault struct {
	Kind FaultKind `json:"kind"`
	// Method and Path narrow it: the path's beginning, below /v1. Empty is every one.
	Method string `json:"method"`
	Path   string `json:"path"`
	// Times is how often; 0 is until Heal.
	Times int           `json:"times"`
	Delay time.Duration `json:"delay"`

	used int
}

// Fail adds a fault. Of several that cover a request the first does.
func (s *Sandbox) Fail(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// Heal ends all faults.
func (s *Sandbox) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// fault is the one that a request meets; nil for none.
func (s *Sandbox) fault(r *http.Request) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.faults {
		covers := (f.Method == "" || f.Method == r.Method) && strings.HasPrefix(r.URL.Path, f.Path)
		if covers && (f.Times == 0 || f.used < f.Times) {
			f.used++
			met := *f
			return &met
		}
	}
	return nil
}

// before fails a request that nothing is done for, and says whether it did.
func (f *Fault) before(w http.ResponseWriter, r *http.Request) bool {
	if f == nil {
		return false
	}
	switch f.Kind {
	case Away:
		cut(w)
	case Slow:
		select {
		case <-time.After(f.Delay):
		case <-r.Context().Done():
		}
	case Conflict:
		write(w, fail(&apiError{
			status: http.StatusConflict, Type: invalidRequest, Code: "idempotency_key_in_use",
			Message: "There is currently another in-progress request using this Idempotent Key.",
		}))
		return true
	case Busy:
		write(w, fail(&apiError{status: http.StatusTooManyRequests, Type: invalidRequest, Code: "rate_limit", Message: "Too many requests."}))
		return true
	case Down:
		write(w, broken())
		return true
	case Lost, Broken:
	}
	return false
}

// remembered says that the work fails, and that its key repeats that.
func (f *Fault) remembered() bool { return f != nil && f.Kind == Broken }

// after cuts the connection where the answer is to be lost.
func (f *Fault) after(w http.ResponseWriter) {
	if f != nil && f.Kind == Lost {
		cut(w)
	}
}

// cut ends the connection in the middle of an answer: where it ends before one, Go's client asks again by itself.
func cut(w http.ResponseWriter) {
	w.Header().Set("Content-Length", "2")
	w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func broken() *answer {
	return fail(&apiError{status: http.StatusInternalServerError, Type: "api_error", Message: "An unknown error occurred."})
}
