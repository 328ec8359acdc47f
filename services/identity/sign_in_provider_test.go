package identity_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/identity"
	"serein.app/services/testkit/pki"
)

// asProvider in the environment makes the test binary the provider of BenchmarkSignIn. Its value is the folder of the provider's certificate.
const asProvider = "TEST_RUN_PROVIDER"

// certified reads the certificate in a folder: a P-256 one, as the cluster's are. httptest's costs a handshake an RSA signature more.
func certified(b *testing.B, dir string) *tls.Config {
	b.Helper()
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, "provider.pem"), filepath.Join(dir, "provider.key"))
	require.NoError(b, err)
	return &tls.Config{Certificates: []tls.Certificate{pair}}
}

// provide is that provider, with its members. It says its address, and then for each line of its input its processor time so far, in nanoseconds.
func provide(b *testing.B) {
	b.Helper()
	identity.Collect()
	h := setup(b)
	h.work = &countingHasher{Hasher: strongHasher()}
	phc, err := h.work.Hash(b.Context(), goodPassword)
	require.NoError(b, err)
	h.accounts = h.newAccounts()
	h.tls = certified(b, os.Getenv(asProvider))
	h.serve()
	for n := range membersOfBench {
		uid := h.insertMember(b)
		_, err := h.db.Pool.Exec(b.Context(), `UPDATE accounts SET username = $2, username_key = $2, password_hash = $3 WHERE uid = $1`,
			uid, fmt.Sprint("member", n), phc)
		require.NoError(b, err)
	}
	_, _ = fmt.Fprintln(os.Stdout, h.server.URL)
	for asked := bufio.NewScanner(os.Stdin); asked.Scan(); {
		_, _ = fmt.Fprintln(os.Stdout, processorTime(b).Nanoseconds())
	}
}

// providerApart is a provider in another process, and the harness of its browsers and clients.
type providerApart struct {
	*harness
	ask  io.Writer
	says *bufio.Scanner
}

// startProvider starts one on a single processor, which ends with the benchmark.
func startProvider(b *testing.B) *providerApart {
	b.Helper()
	dir := b.TempDir()
	pki.New(b).Issue(dir, "provider", time.Now().Add(time.Hour))
	// It ends when its input does, and removes its database; a killed one could not.
	cmd := exec.CommandContext(context.WithoutCancel(b.Context()), os.Args[0], "-test.benchtime=1x")
	cmd.Env, cmd.Stderr = append(os.Environ(), asProvider+"="+dir, "GOMAXPROCS=1"), os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(b, err)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		_ = in.Close()
		require.NoError(b, cmd.Wait())
	})
	server := httptest.NewUnstartedServer(nil) // for its client, which trusts the server's certificate
	server.TLS = certified(b, dir)
	server.StartTLS()
	b.Cleanup(server.Close)
	p := &providerApart{harness: &harness{t: b, clock: &clock{now: time.Now()}, server: server}, ask: in, says: bufio.NewScanner(out)}
	require.True(b, p.says.Scan(), "the provider has not started: %v", p.says.Err())
	server.URL = p.says.Text()
	return p
}

// processorTime of the provider so far.
func (p *providerApart) processorTime() time.Duration {
	p.t.Helper()
	_, err := fmt.Fprintln(p.ask)
	require.NoError(p.t, err)
	require.True(p.t, p.says.Scan(), "the provider has ended: %v", p.says.Err())
	ns, err := strconv.ParseInt(p.says.Text(), 10, 64)
	require.NoError(p.t, err)
	return time.Duration(ns)
}
