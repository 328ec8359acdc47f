package service_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/service"
)

func TestAnotherMachineIsReachedByTLSAloneUnlessItIsSaidOtherwise(t *testing.T) {
	t.Parallel()
	type empty struct{}
	ran := errors.New("it runs")
	p := service.Program[empty]{
		Name: "sample", Run: func(context.Context, empty) error { return ran },
		Migrate: func(context.Context, string) error { return ran },
	}
	do := func(environ map[string]string, args ...string) error { return p.Do(t.Context(), environ, args) }
	far := map[string][]string{
		"DATABASE_URL": {
			"postgres://u:s3cret@db.internal/x", "postgres://u:s3cret@db.internal/x?sslmode=disable", "postgres://u:s3cret@10.0.0.7/x?sslmode=prefer",
			"host=db.internal user=u password=s3cret sslmode=disable", "postgres://u:s3cret@127.0.0.1,db.internal/x?sslmode=disable",
		},
		"NATS_URL":    {"nats://u:s3cret@nats.internal:4222", "nats.internal:4222", "tls://a:4222,nats://b:4222", "ws://nats.internal"},
		"REDIS_URL":   {"redis://:s3cret@10.0.0.8:6379"},
		"BLOB_URL":    {"s3://KEY:s3cret@minio.internal:9000/audio", "s3://KEY:s3cret@minio.internal/audio?tls=false"},
		"BILLING_URL": {"http://billing.serein.svc:8080"},
	}
	near := map[string][]string{
		"DATABASE_URL": {
			"postgres://u@127.0.0.1:5432/x", "postgres://u@localhost/x?sslmode=disable", "postgres:///x?host=/run/postgresql",
			"postgres://u@db.internal/x?sslmode=require", "postgres://u@db.internal/x?sslmode=verify-full",
		},
		"NATS_URL":    {"nats://127.0.0.1:4222", "localhost:4222", "tls://a:4222,tls://b:4222", "wss://nats.example"},
		"REDIS_URL":   {"redis://:p@localhost:6379", "redis://[::1]:6379", "rediss://cache.internal"},
		"BLOB_URL":    {"file:///srv/blobs", "s3://KEY:SECRET@127.0.0.1:9000/audio", "s3://KEY:SECRET@minio.internal/audio?tls=true"},
		"BILLING_URL": {"http://127.0.0.1:8080", "https://billing.serein.svc"},
		"PUBLIC_URL":  {"http://whatever.else"},
	}
	for name, list := range far {
		for _, address := range list {
			err := do(map[string]string{name: address})
			require.ErrorContains(t, err, name+": another machine is reached by TLS alone", address)
			require.NotContains(t, err.Error(), "s3cret")
			require.ErrorIs(t, do(map[string]string{name: address, service.TrustedNetwork: "true"}), ran, address)
		}
	}
	for name, list := range near {
		for _, address := range list {
			require.ErrorIs(t, do(map[string]string{name: address}), ran, "%s %s", name, address)
		}
	}
	require.ErrorContains(t, do(map[string]string{"MIGRATE_DATABASE_URL": far["DATABASE_URL"][0]}, "migrate"), "MIGRATE_DATABASE_URL")
	err := do(map[string]string{"REDIS_URL": far["REDIS_URL"][0], "NATS_URL": far["NATS_URL"][0]})
	require.ErrorContains(t, err, "REDIS_URL", "every fault at once")
	require.ErrorContains(t, err, "NATS_URL", "every fault at once")
}
