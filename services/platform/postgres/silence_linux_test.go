package postgres_test

import (
	"net"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"serein.app/services/testkit"
)

// A leader whose machine vanishes would keep its lock for two hours, and a loop would wait for its database for a
// quarter of one. That needs a network to be cut; what is shown is that both ends are told to notice.
func TestBothEndsOfAConnectionNoticeWithinHalfAMinuteThatTheOtherIsGone(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "mail", migrate)
	conn, err := db.Pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	rows, err := conn.Query(t.Context(), `SELECT name || '=' || setting FROM pg_settings
		WHERE name IN ('tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout') ORDER BY name`)
	require.NoError(t, err)
	theirs, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{"tcp_keepalives_count=2", "tcp_keepalives_idle=10", "tcp_keepalives_interval=5", "tcp_user_timeout=20000"}, theirs)

	socket, ok := conn.Conn().PgConn().Conn().(*net.TCPConn)
	require.True(t, ok)
	raw, err := socket.SyscallConn()
	require.NoError(t, err)
	ours := map[int]int{unix.TCP_KEEPIDLE: 0, unix.TCP_KEEPINTVL: 0, unix.TCP_KEEPCNT: 0, unix.TCP_USER_TIMEOUT: 0}
	require.NoError(t, raw.Control(func(fd uintptr) {
		for option := range ours {
			ours[option], err = unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, option)
			require.NoError(t, err)
		}
	}))
	require.Equal(t, map[int]int{unix.TCP_KEEPIDLE: 10, unix.TCP_KEEPINTVL: 5, unix.TCP_KEEPCNT: 2, unix.TCP_USER_TIMEOUT: 20_000}, ours)
}
