// Package s3test runs an S3-compatible store inside a test.
package s3test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"
)

// New runs a store with one empty bucket until the test ends, and gives its
// address as blob.Open takes it.
func New(tb testing.TB) string {
	tb.Helper()
	backend := s3mem.New()
	require.NoError(tb, backend.CreateBucket("audio"))
	server := httptest.NewServer(gofakes3.New(backend).Server())
	tb.Cleanup(server.Close)
	return "s3://key:secret@" + strings.TrimPrefix(server.URL, "http://") + "/audio?region=eu-north-1"
}
