package postgres

import (
	"net"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// A machine that loses its power or its network ends no connection. Both sides then notice at the latest after
// silence, instead of the system's two hours: PostgreSQL, so that a leader that is gone loses its lock (see
// Lead), and this process, so that a loop does not wait for an answer that cannot come.
const (
	silence    = 20 * time.Second
	probeIdle  = 10 * time.Second // without a word, before the first probe
	probeEvery = 5 * time.Second
	probes     = 2
)

// watchSilence makes both ends of a connection notice that the other is gone. Sockets of one machine need none.
func watchSilence(cc *pgx.ConnConfig) {
	cc.RuntimeParams["tcp_keepalives_idle"] = strconv.Itoa(int(probeIdle.Seconds()))
	cc.RuntimeParams["tcp_keepalives_interval"] = strconv.Itoa(int(probeEvery.Seconds()))
	cc.RuntimeParams["tcp_keepalives_count"] = strconv.Itoa(probes)
	cc.RuntimeParams["tcp_user_timeout"] = strconv.FormatInt(silence.Milliseconds(), 10)
	dialer := net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: probeIdle, Interval: probeEvery, Count: probes},
		Control:         boundUnanswered,
	}
	cc.DialFunc = dialer.DialContext
}
