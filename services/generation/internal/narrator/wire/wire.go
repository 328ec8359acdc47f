// Package wire sends a request for speech to a vendor over HTTP and reads the sound, bounded in size. It goes to the configured address alone.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"

	"serein.app/services/generation/internal/narrator/limits"
	"serein.app/services/generation/internal/vendorhttp"
	"serein.app/services/platform/outgoing"
)

// MaxBody bounds an answer, in bytes: more than two minutes of speech.
const MaxBody = 12 << 20

// Media types of an answer.
var (
	// PCM is samples alone.
	PCM = []string{"audio/pcm", "audio/l16", "application/octet-stream"}
	// WAV is a RIFF file.
	WAV = []string{"audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave", "application/octet-stream"}
)

// Client keeps connections for so many calls at once. A call's context bounds it.
func Client(calls int) *http.Client {
	return &http.Client{CheckRedirect: outgoing.StayHere, Transport: vendorhttp.Transport(calls)}
}

// Post sends body as JSON and gives the answer's, of one of those media types. Errors: *limits.Error, which has no address and no text.
func Post(ctx context.Context, client *http.Client, to string, header http.Header, body any, types []string) ([]byte, error) {
	sent, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(sent))
	if err != nil {
		return nil, limits.Break("no address")
	}
	req.Header = header.Clone()
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		return nil, limits.Break("no answer: %w", Bare(err))
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, limits.Status(res.StatusCode, vendorhttp.RetryAfter(res.Header), nil)
	}
	if err := Type(res.Header.Get("Content-Type"), types); err != nil {
		return nil, err
	}
	return Read(res.Body)
}

// Type refuses an answer that is of none of those media types.
func Type(got string, want []string) error {
	media, _, err := mime.ParseMediaType(got)
	if err != nil || !slices.Contains(want, media) {
		return limits.Break("an answer of type %.60q in place of %s", got, want[0])
	}
	return nil
}

// Read gives a whole answer of MaxBody bytes at most.
func Read(from io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, MaxBody+1))
	switch {
	case len(data) > MaxBody:
		return nil, limits.Break("an answer of more than %d bytes", MaxBody)
	case err != nil:
		return nil, limits.Break("the answer ends after %d bytes: %w", len(data), Bare(err))
	}
	return data, nil
}

// Bare takes the addresses out of an error.
func Bare(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if o, ok := errors.AsType[*net.OpError](err); ok {
		return o.Err
	}
	return err
}
