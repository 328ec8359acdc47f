package login

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// keyPause is how long the provider's keys are not fetched again. A key that the provider signs with
// at once after publishing it is refused for no longer.
const keyPause = 5 * time.Second

// pausedKeys fetches the provider's key set. go-oidc fetches it anew for every signature that it
// cannot prove, and anybody can send such; within the pause they get the last answer instead.
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
		pause := keyPause
		if k.body, k.err = k.fetch(r); k.err != nil {
			pause = discoveryPause
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
		return nil, fmt.Errorf("the provider's keys: %s", res.Status)
	}
	return io.ReadAll(res.Body)
}
