// Package vendor has what the clients of vendors of models share: how they connect, and what a vendor's refusal means.
package vendor

import (
	"context"
	"io"
	"net/http"
	"strconv"

	"serein.app/services/generation/internal/vendorhttp"
	"serein.app/services/generation/internal/writer"
	"serein.app/services/platform/outgoing"
)

const (
	// connections to a vendor that are kept.
	connections = 8
	// maxBody is the longest answer that is read, in bytes: a script with the frames of its stream.
	maxBody = 4 << 20
)

// Client is an HTTP client for a vendor: it goes where the settings say and nowhere else, and reads no answer without end. The
// caller's context bounds its time.
func Client() *http.Client {
	return &http.Client{CheckRedirect: outgoing.StayHere, Transport: bounded{vendorhttp.Transport(connections)}}
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
		f.After = vendorhttp.RetryAfter(header)
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
