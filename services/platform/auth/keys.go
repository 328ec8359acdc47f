package auth

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"serein.app/services/platform/outgoing"
)

const (
	// KeyPause is how long an issuer's keys are not fetched again. A key that the issuer signs with at
	// once after publishing it is refused for no longer.
	KeyPause = 5 * time.Second
	// maxKeys bounds a key set, in bytes.
	maxKeys = 1 << 20
)

// IssuerKeys is the key set at an address. client fetches it, and client.Timeout bounds a fetch.
// go-oidc fetches the set again for every signature that it cannot verify, and anybody can send
// such signatures; within KeyPause of a fetch the last set judges them instead. IssuerKeys uses only
// the values of ctx: the key set works on after ctx ends.
func IssuerKeys(ctx context.Context, client *http.Client, address string, now func() time.Time) oidc.KeySet {
	transport := client.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	paused := &http.Client{Transport: &pausedKeys{next: transport, now: now}, Timeout: client.Timeout, CheckRedirect: outgoing.StayHere}
	return oidc.NewRemoteKeySet(oidc.ClientContext(context.WithoutCancel(ctx), paused), address)
}

// pausedKeys gives every request within the pause the answer of the last one.
type pausedKeys struct {
	next http.RoundTripper
	now  func() time.Time

	mu    sync.Mutex // held while fetching too: go-oidc fetches one at a time
	body  []byte
	err   error
	until time.Time
}

// RoundTrip implements http.RoundTripper.
func (k *pausedKeys) RoundTrip(r *http.Request) (*http.Response, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.now().Before(k.until) {
		pause := KeyPause
		if k.body, k.err = k.fetch(r); k.err != nil {
			pause = issuerPause
		}
		k.until = k.now().Add(pause)
	}
	if k.err != nil {
		return nil, k.err
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(k.body)), Request: r}, nil
}

func (k *pausedKeys) fetch(r *http.Request) ([]byte, error) {
	res, err := k.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the issuer's keys: %s", res.Status)
	}
	return io.ReadAll(io.LimitReader(res.Body, maxKeys))
}
