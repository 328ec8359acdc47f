package postgres

import (
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// boundUnanswered ends a connection whose bytes nobody has acknowledged for silence: probes are not sent
// while some are on their way, and Linux repeats those for a quarter of an hour (tcp(7), TCP_USER_TIMEOUT).
func boundUnanswered(network, _ string, c syscall.RawConn) (err error) {
	if !strings.HasPrefix(network, "tcp") {
		return nil
	}
	cerr := c.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(silence.Milliseconds()))
	})
	if cerr != nil {
		return cerr
	}
	return err
}
