package paymentsandbox

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"
)

// controls are for tests in other processes: what the methods do, behind the API key. Times are in milliseconds.
func (s *Sandbox) controls(mux *http.ServeMux) {
	control(s, mux, "pay", func(_ *http.Request, in struct {
		Session string `json:"session"`
		Payer
	},
	) (any, error) {
		return object{}, s.PayAs(in.Session, in.Payer)
	})
	control(s, mux, "confirm", func(_ *http.Request, in struct {
		Session string `json:"session"`
		Yes     bool   `json:"yes"`
	},
	) (any, error) {
		return object{}, s.Confirm(in.Session, in.Yes)
	})
	control(s, mux, "apply", func(_ *http.Request, in struct {
		Session string `json:"session"`
		Code    string `json:"code"`
	},
	) (any, error) {
		return object{}, s.Apply(in.Session, in.Code)
	})
	control(s, mux, "refund", func(_ *http.Request, in struct {
		Payment string `json:"payment"`
		Amount  int64  `json:"amount"`
	},
	) (any, error) {
		return object{}, s.Refund(in.Payment, in.Amount)
	})
	control(s, mux, "dispute", func(_ *http.Request, in struct {
		Payment string `json:"payment"`
		Amount  int64  `json:"amount"`
	},
	) (any, error) {
		return object{}, s.DisputePart(in.Payment, in.Amount)
	})
	control(s, mux, "inquire", func(_ *http.Request, in struct {
		Payment string `json:"payment"`
	},
	) (any, error) {
		return object{}, s.Inquire(in.Payment)
	})
	control(s, mux, "decide", func(_ *http.Request, in struct {
		Payment string `json:"payment"`
		Status  string `json:"status"`
	},
	) (any, error) {
		return object{}, s.Decide(in.Payment, in.Status)
	})
	control(s, mux, "fail-refund", func(_ *http.Request, in struct {
		Payment string `json:"payment"`
	},
	) (any, error) {
		return object{}, s.FailRefund(in.Payment)
	})
	control(s, mux, "pay-later", func(_ *http.Request, in struct {
		Session string `json:"session"`
	},
	) (any, error) {
		return object{}, s.PayLater(in.Session)
	})
	control(s, mux, "arrive", func(_ *http.Request, in struct {
		Session string `json:"session"`
		Comes   bool   `json:"comes"`
	},
	) (any, error) {
		return object{}, s.Arrive(in.Session, in.Comes)
	})
	control(s, mux, "advance", func(_ *http.Request, in struct {
		Milliseconds int64  `json:"milliseconds"`
		Customer     string `json:"customer"` // empty for all
	},
	) (any, error) {
		by := time.Duration(in.Milliseconds) * time.Millisecond
		if in.Customer != "" {
			return object{}, s.AdvanceCustomer(in.Customer, by)
		}
		s.Advance(by)
		return object{}, nil
	})
	control(s, mux, "card", func(_ *http.Request, in struct {
		Customer string `json:"customer"`
		Card     Card   `json:"card"`
	},
	) (any, error) {
		return object{}, s.ChangeCard(in.Customer, in.Card)
	})
	control(s, mux, "fail", func(_ *http.Request, in Fault) (any, error) {
		in.Delay *= time.Millisecond
		s.Fail(in)
		return object{}, nil
	})
	control(s, mux, "heal", func(*http.Request, struct{}) (any, error) {
		s.Heal()
		return object{}, nil
	})
	control(s, mux, "webhook", func(_ *http.Request, in Webhook) (any, error) {
		s.Notify(in)
		return object{}, nil
	})
	control(s, mux, "delivery", func(_ *http.Request, in Delivery) (any, error) {
		in.Delay *= time.Millisecond
		s.SetDelivery(in)
		return object{}, nil
	})
	control(s, mux, "deliver", func(r *http.Request, in struct {
		Events []string `json:"events"`
	},
	) (any, error) {
		answers, err := s.Deliver(r.Context(), in.Events...)
		return object{"answers": answers}, err
	})
	control(s, mux, "events", func(*http.Request, struct{}) (any, error) {
		return object{"events": s.Events()}, nil
	})
}

// control is POST /sandbox/{name} with a JSON body.
func control[In any](s *Sandbox, mux *http.ServeMux, name string, do func(*http.Request, In) (any, error)) {
	mux.HandleFunc("POST /sandbox/"+name, func(w http.ResponseWriter, r *http.Request) {
		if err := s.admit(r); err != nil {
			write(w, fail(err))
			return
		}
		var in In
		decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&in); err != nil {
			write(w, fail(invalid("", "", "The body cannot be read.")))
			return
		}
		out, err := do(r, in)
		if err != nil {
			write(w, fail(controlError(err)))
			return
		}
		write(w, &answer{Status: http.StatusOK, Body: encode(out)})
	})
}

func controlError(err error) error {
	if told := (&apiError{}); errors.As(err, &told) {
		return told
	}
	return refused("", err.Error())
}
