//go:build full

package faults

import (
	"context"
	"crypto/tls"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
	"serein.app/deploy/local/stack"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/mtls"
	"serein.app/services/testkit/pki"
)

// The test signs a member up, with the code's letter and the trial, makes a recording, and reads a meditation of the library that the
// product has narrated by then: every service calls and is called.
func TestTheWholeProductWorksWithMutualTLSBetweenItsServices(t *testing.T) { // not parallel: it is a second product, whose start needs the processors
	authority, until := pki.New(t), time.Now().Add(time.Hour)
	certificates := map[string]mtls.Config{}
	for _, name := range append(stack.Programs(), stack.ReportsConsumer) {
		dir := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.Mkdir(dir, 0o700))
		certificates[name] = authority.Issue(dir, name, until)
	}
	secured, err := harness.StartWith(t.Context(), stack.Options{
		DataDir: t.TempDir(), Environ: map[string]string{"LIMIT_SCALE": "1000", "NARRATE": "all", "TLS_CLIENTS": stack.ReportsConsumer},
		Certificates: func(service string) mtls.Config { return certificates[service] },
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, secured.Stop()) })

	m, err := secured.NewMember(t.Context())
	require.NoError(t, err)
	made, err := m.Generate(t.Context(), harness.SmallRequest("Among friends"))
	require.NoError(t, err)
	ended, err := m.AwaitEnd(t.Context(), made.GetId())
	require.NoError(t, err)
	require.Equal(t, webv1.Stage_STAGE_READY, ended.GetStage())

	var sound string
	require.NoError(t, harness.Eventually(t.Context(), "a narrated meditation", func(ctx context.Context) (bool, error) {
		library, err := m.Library.ListMeditations(ctx, &webv1.ListMeditationsRequest{PageSize: 100})
		for _, meditation := range library.GetMeditations() {
			sound = max(sound, meditation.GetAudioUrl())
		}
		return sound != "", err
	}))
	heard, err := m.Get(t.Context(), sound)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, heard.StatusCode)
	require.Equal(t, "audio/mpeg", heard.Header.Get("Content-Type"))

	requireLedgerToAnotherService(t, secured, m.UID, certificates[stack.ReportsConsumer])

	for _, name := range stack.Services() {
		require.Contains(t, secured.ServiceURL(name), "https://")
		stranger := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} // a stranger believes anybody
		for _, path := range []string{"/metrics", "/serein.any.v1.Service/Method"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, secured.ServiceURL(name)+path, nil)
			require.NoError(t, err)
			res, err := stranger.Do(req)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			require.Equal(t, http.StatusForbidden, res.StatusCode, "%s%s to a caller without a certificate", name, path)
		}
	}
}

// requireLedgerToAnotherService has the program of docs/integrate read the ledger with the program's certificate, and be refused without one.
func requireLedgerToAnotherService(t *testing.T, secured *harness.Harness, uid string, own mtls.Config) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "integrate")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "serein.app/docs/integrate").CombinedOutput()
	require.NoError(t, err, "%s", out)
	environ, err := secured.ClientEnviron(stack.ReportsClient)
	require.NoError(t, err)
	for _, certificate := range [][]string{{"-cert", own.Cert, "-key", own.Key}, nil} {
		cmd := exec.CommandContext(t.Context(), program, append(append([]string{"-ca", own.CA}, certificate...), "ledger", uid)...)
		for name, value := range environ {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		out, err := cmd.CombinedOutput()
		if certificate == nil {
			require.Error(t, err, "%s", out)
			continue
		}
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "\tgrant\t")
	}
}
