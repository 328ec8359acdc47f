// Package redistest runs a Redis inside a test.
package redistest

import (
	"testing"

	"github.com/alicebob/miniredis/v2"
)

// Server is a Redis whose clock and faults the test controls.
type Server = miniredis.Miniredis

// New runs an empty one until the test ends.
func New(tb testing.TB) *Server {
	tb.Helper()
	return miniredis.RunT(tb)
}
