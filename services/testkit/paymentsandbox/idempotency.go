package paymentsandbox

import (
	"net/http"
	"net/url"
	"time"
)

// keyLife is how long an idempotency key repeats its first answer.
const keyLife = 24 * time.Hour

// answerOnce does the work, or repeats the answer that the request's key had before; replayed says which.
func (s *Sandbox) answerOnce(r *http.Request, form url.Values, fault *Fault, answers endpoint) (given *answer, replayed bool) {
	_ = s.locked(func() error {
		key := r.Header.Get("Idempotency-Key")
		if r.Method != http.MethodPost || key == "" {
			given = s.do(r, form, answers)
			return nil
		}
		asked := r.Method + " " + r.URL.Path + "?" + form.Encode()
		if earlier, ok := s.state.Answers[key]; ok && s.now().Sub(time.Unix(earlier.At, 0)) < keyLife {
			given, replayed = repeat(earlier, asked)
			return nil
		}
		if fault.remembered() {
			given = broken()
		} else {
			given = s.do(r, form, answers)
		}
		if started(given) {
			given.Asked, given.At = asked, s.now().Unix()
			s.state.Answers[key] = given
		}
		return nil
	})
	return given, replayed
}

func repeat(earlier *answer, asked string) (*answer, bool) {
	if earlier.Asked == asked {
		return earlier, true
	}
	return fail(&apiError{
		status: http.StatusBadRequest, Type: "idempotency_error",
		Message: "Keys for idempotent requests can only be used with the same parameters they were first used with.",
	}), false
}

// started says whether the work was begun: what is refused for its parameters is not kept, and the key stays free.
func started(a *answer) bool {
	return a.Status != http.StatusBadRequest && a.Status != http.StatusNotFound
}
