package login

import (
	"context"
	"net/http"

	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/seclog"
)

// Routes are the two steps of a sign-in, and the provider's word that a session has ended.
type Routes struct{ Start, Callback, BackChannel http.HandlerFunc }

type limiter interface {
	Allow(ctx context.Context, key string) error
}

// Limited counts sign-ins begun by an address. The callback needs no separate limit: it does nothing without an attempt that was counted.
func Limited(limit limiter, security *seclog.Log, l *Login) Routes {
	return Routes{Callback: l.Callback, BackChannel: l.BackChannel, Start: func(w http.ResponseWriter, r *http.Request) {
		if err := limit.Allow(r.Context(), guard.Address(r.Context())); err != nil {
			security.Refused(r.Context(), err, seclog.Event{Address: guard.Address(r.Context()), Procedure: r.URL.Path})
			popupHeaders(w)
			w.Header().Set("Retry-After", guard.RetryAfter(err))
			WriteFault(w, returnTarget{}, errs.From(err))
			return
		}
		l.Start(w, r)
	}}
}
