// Package freeport finds ports for servers that tests start, and start again.
package freeport

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
)

// The ports lie below those that systems give to outgoing connections and to servers that name none (32768 and more on
// Linux, 49152 elsewhere): nobody else is given one between its choice and its use, or while its server starts again. The
// product of make run takes its own from 20000 on.
const first, last = 10000, 19999

// New chooses a port on loopback at random that nobody listens on.
func New() (int, error) {
	for range last - first {
		port := first + rand.IntN(last-first+1)
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)) //nolint:noctx // returns at once
		if err == nil {
			return port, listener.Close()
		}
	}
	return 0, errors.New("no port is free")
}
