package login_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/gateway/internal/login"
)

func TestAProviderThatHangsHoldsNobodyWhoLeaves(t *testing.T) {
	t.Parallel()
	asked, never := make(chan struct{}, 1), make(chan struct{})
	hung := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-never
	}))
	t.Cleanup(hung.Close)
	t.Cleanup(func() { close(never) })
	public, err := url.Parse("https://app.test")
	require.NoError(t, err)
	p := login.NewProvider(login.Config{Issuer: hung.URL}, public, time.Now)
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 20)
	for range cap(ended) {
		go func() {
			_, err := p.Access(ctx, "a.b.c")
			ended <- err
		}()
	}
	<-asked
	leave()
	for range cap(ended) {
		require.Error(t, <-ended)
	}
	require.Empty(t, asked, "one question for all")
}
