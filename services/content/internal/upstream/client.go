package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"serein.app/services/platform/config"
	"serein.app/services/platform/outgoing"
)

const (
	// maxBody bounds an unpacked answer, in bytes.
	maxBody = 64 << 20
	// maxRetryAfter is the longest wait that an upstream can ask for.
	maxRetryAfter = time.Hour
)

// Kind of a failure, a word of the metric.
type Kind string

// The kinds of failures.
const (
	Away    Kind = "away"    // it does not answer, or says that it cannot
	Denied  Kind = "denied"  // it does not take our token
	Busy    Kind = "busy"    // it answers 429 or 503
	Lying   Kind = "lying"   // its answer breaks the contract
	Expired Kind = "expired" // it does not take the token of the sync
	Refused Kind = "refused" // an item cannot be kept: it breaks its content type, or is more than the database holds
)

// Error is a failure of the upstream.
type Error struct {
	Kind Kind
	// RetryAfter is how long it asks to wait; 0 where it does not say.
	RetryAfter time.Duration
	cause      error
}

// Error says what happened. It holds no address, because the address contains the sync token.
func (e *Error) Error() string { return fmt.Sprintf("upstream (%s): %v", e.Kind, e.cause) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.cause }

// errBadUpstream is an Error of the kind Lying.
func errBadUpstream(format string, args ...any) error {
	return &Error{Kind: Lying, cause: fmt.Errorf(format, args...)}
}

// client sends requests to the upstream and to no other host.
type client struct {
	base  string
	token config.Secret
	http  *http.Client
}

func newClient(cfg Config) *client {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, MaxResponseHeaderBytes: 64 << 10, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: 10 * time.Second}
	return &client{
		base: strings.TrimSuffix(cfg.URL, "/") + "/spaces/" + url.PathEscape(cfg.Space) + "/environments/" + url.PathEscape(cfg.Environment), token: cfg.Token,
		http: &http.Client{Transport: transport, Timeout: cfg.Timeout, CheckRedirect: outgoing.StayHere},
	}
}

// get reads an answer into a value.
func (c *client) get(ctx context.Context, path string, query url.Values, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path+"?"+query.Encode(), http.NoBody)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.token.Reveal())
	res, err := c.http.Do(req)
	if err != nil {
		return &Error{Kind: Away, cause: bare(err)}
	}
	defer func() { _ = res.Body.Close() }()
	if err := status(res, query.Has("sync_token")); err != nil {
		return err
	}
	body := &io.LimitedReader{R: res.Body, N: maxBody + 1}
	raw, err := io.ReadAll(body)
	switch {
	case len(raw) > maxBody:
		return errBadUpstream("an answer is larger than %d bytes", maxBody)
	case err != nil:
		return &Error{Kind: Away, cause: bare(err)}
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return errBadUpstream("an answer to %s is not what it must be: %w", path, err)
	}
	return nil
}

// bare takes the address out of an error.
func bare(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

func status(res *http.Response, goesOn bool) error {
	said := fmt.Errorf("it answers %d", res.StatusCode)
	switch code := res.StatusCode; {
	case code == http.StatusOK:
		return nil
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return &Error{Kind: Denied, cause: said}
	case code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable:
		return &Error{Kind: Busy, RetryAfter: retryAfter(res.Header), cause: said}
	case code == http.StatusBadRequest && goesOn:
		return &Error{Kind: Expired, cause: said}
	case code >= http.StatusInternalServerError:
		return &Error{Kind: Away, cause: said}
	default: // redirects too: the client asks no other host
		return &Error{Kind: Lying, cause: said}
	}
}

func retryAfter(header http.Header) time.Duration {
	seconds, err := strconv.Atoi(header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(seconds)*time.Second, maxRetryAfter)
}
