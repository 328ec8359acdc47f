package cache_test

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"serein.app/deploy/local/cache"
)

// Sessions are sealed: any bytes at all.
const sealed = "\x00\xff\xfe sealed \x80"

func TestWhatIsKeptSurvivesARestartByteForByte(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	client, stop := start(t, dir)
	require.NoError(t, client.Set(t.Context(), "session", sealed, time.Hour).Err())
	require.NoError(t, client.Set(t.Context(), "empty", "", 0).Err())
	require.NoError(t, client.HSet(t.Context(), "bucket", "field", sealed).Err())
	stop()

	client, _ = start(t, dir)
	require.Equal(t, sealed, client.Get(t.Context(), "session").Val())
	require.Equal(t, sealed, client.HGet(t.Context(), "bucket", "field").Val())
	require.NoError(t, client.Get(t.Context(), "empty").Err())
	left := client.TTL(t.Context(), "session").Val()
	require.Greater(t, left, 50*time.Minute)
	require.LessOrEqual(t, left, time.Hour)
}

// password of the cache.
const password = "a password that nobody guesses"

func TestNobodyReadsTheCacheWithoutItsPassword(t *testing.T) {
	t.Parallel()
	client, _ := start(t, t.TempDir())
	require.NoError(t, client.Set(t.Context(), "session", sealed, time.Hour).Err())
	for _, guess := range []string{"", "a guess"} {
		stranger := redis.NewClient(&redis.Options{Addr: client.Options().Addr, Password: guess})
		t.Cleanup(func() { _ = stranger.Close() })
		require.Error(t, stranger.Get(t.Context(), "session").Err())
		require.Error(t, stranger.FlushAll(t.Context()).Err())
	}
	require.Equal(t, sealed, client.Get(t.Context(), "session").Val())
}

func start(t *testing.T, dir string) (client *redis.Client, stop func()) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr := listener.Addr().String()
	require.NoError(t, listener.Close())
	c, err := cache.Start(addr, dir, password)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	client = redis.NewClient(&redis.Options{Addr: addr, Password: password})
	stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(t, <-ended)
		require.NoError(t, client.Close())
	})
	t.Cleanup(stop)
	return client, stop
}
