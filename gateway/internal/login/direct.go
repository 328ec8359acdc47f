package login

import (
	"context"
	"net/http"
	"net/url"
)

// Direct is a sign-in whose code comes by a call between services: its person has proved everything already, and sees no page of the
// provider's.
type Direct struct {
	attempt attempt
	// Query is that of the authorization request which the code must answer.
	Query string
}

// BeginDirect makes the request of such a sign-in, for a browser in that time zone; empty where it does not say.
func (l *Login) BeginDirect(ctx context.Context, zone string) (Direct, error) {
	a := newAttempt(returnTarget{To: "/"}, l.now())
	target, err := l.provider.signInURL(ctx, a, hints{zone: timeZone(zone)})
	if err != nil {
		return Direct{}, err
	}
	at, err := url.Parse(target)
	if err != nil {
		return Direct{}, err
	}
	return Direct{attempt: a, Query: at.RawQuery}, nil
}

// FinishDirect redeems the code that answered the request, and starts the browser's session as Callback does. h are the answer's
// headers, asked the request's.
func (l *Login) FinishDirect(ctx context.Context, h, asked http.Header, code string, d Direct) error {
	return l.finish(ctx, h, asked, code, d.attempt)
}
