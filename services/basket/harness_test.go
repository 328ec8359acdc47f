package basket

import (
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	"serein.app/services/basket/internal/rpc"
	"serein.app/services/platform/config"
	"serein.app/services/platform/postgres"
	"serein.app/services/platform/server"
	"serein.app/services/platform/service"
	"serein.app/services/testkit"
)

// harness is the whole service on its own database.
type harness struct {
	db  *pgxpool.Pool
	url string
}

func start(t *testing.T) *harness {
	t.Helper()
	db := testkit.Postgres(t, Name, Migrate)
	s, err := service.Start(t.Context(), Name, service.Config{
		Server: server.Config{Addr: "127.0.0.1:0"}, Database: postgres.Config{URL: config.URL(db.URL), MaxConns: 4},
		Auth: testkit.Auth(t, Name), NATSURL: "nats://127.0.0.1:1", // nothing is published yet
	}, rpc.Policy(), testkit.Telemetry(t))
	require.NoError(t, err)
	require.NoError(t, build(t.Context(), s))
	url, _ := testkit.Serve(t, s)
	return &harness{db: db.Pool, url: url}
}

func (h *harness) client(t *testing.T, as string) basketv1connect.BasketServiceClient {
	t.Helper()
	c, url, options := testkit.Dialer(t, as).To(Name, h.url)
	return basketv1connect.NewBasketServiceClient(c, url, options)
}
