// Package vendor has what the clients of vendors of models share: how they connect, and what a vendor's refusal means.
package vendor

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"serein.app/services/generation/internal/writer"
	"serein.app/services/platform/outgoing"
)

const (
	// handshakeTime is how long a vendor may take to begin TLS, idleTime how long an unused connection is kept.
	handshakeTime = 5 * time.Second
	idleTime      = 60 * time.Second
	// maxBody is the longest answer that is read, in bytes: a script with the frames of its stream.
	maxBody = 4 << 20
)

// Client is an HTTP client for a vendor: it goes where the settings say and nowhere else, and reads no answer without end. The
// caller's context bounds its time.
func Client() *http.Client {
	return &http.Client{CheckRedirect: outgoing.StayHere, Transport: bounded{&http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, TLSHandshakeTimeout: handshakeTime, IdleConnTimeout: idleTime,
		MaxIdleConnsPerHost: 8,
	}}}
}

// bounded cuts answers that are too long.
type bounded struct{ next http.RoundTripper }

// RoundTrip asks the next one.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := b.next.RoundTrip(r)
	if err == nil {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(res.Body, maxBody), res.Body}
	}
	return res, err
}

// statusOverloaded is what Anthropic answers while it has no room.
const statusOverloaded = 529

// FailureOf says what an answer with such a status, 400 or more, means. Its text has no words of the vendor's.
func FailureOf(status int, header http.Header) *writer.ModelError {
	f := &writer.ModelError{Cause: writer.Rejected, Detail: "status " + strconv.Itoa(status)}
	switch {
	case status == http.StatusTooManyRequests || status == statusOverloaded:
		f.Cause, f.Again = writer.Limited, true
	case status >= http.StatusInternalServerError || status == http.StatusRequestTimeout:
		f.Cause, f.Again = writer.Away, true
	}
	if f.Again {
		f.After = retryAfter(header)
	}
	return f
}

// Unreachable is the failure of a request without an answer. The end of ctx is no failure of the vendor's.
func Unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		return nil
	}
	return &writer.ModelError{Cause: writer.Away, Again: true, Detail: "no answer"}
}

// retryAfter is how long the vendor asks us to wait: seconds, or a date (RFC 9110, 10.2.3); 0 where it does not say.
func retryAfter(header http.Header) time.Duration {
	given := header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(given, 64); err == nil && seconds > 0 {
		const longest = 1 << 20 // beyond any deadline
		return time.Duration(min(seconds, longest) * float64(time.Second))
	}
	if at, err := http.ParseTime(given); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}
