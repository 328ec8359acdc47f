package server

import (
	"bytes"
	"fmt"
	"log"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAHandshakeThatFailedIsAWarningInPartAndTheRestIsNot(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	now := time.Unix(0, 0)
	said := log.New(newFaults(slog.New(slog.NewTextHandler(&out, nil)), func() time.Time { return now }), "", 0)
	lines := func() []string {
		defer out.Reset()
		return strings.Split(strings.TrimSpace(out.String()), "\n")
	}
	for i := range 30 {
		said.Printf("http: TLS handshake error from 127.0.0.1:%d: tls: expired certificate", i)
		said.Print("http: URL query contains semicolon")
	}
	got := lines()
	require.Len(t, got, 1)
	require.Contains(t, got[0], "level=WARN")
	require.Contains(t, got[0], "expired certificate")
	now = now.Add(handshakePause)
	said.Print("http: TLS handshake error from 127.0.0.1:1: EOF\nlevel=INFO forged")
	got = lines()
	require.Len(t, got, 1, "and it is one line whatever it holds")
	require.Contains(t, got[0], fmt.Sprintf("lines_left_out=%d", 29))
}
