package check

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// round is a run of reload.sh whose sleep lasts until the test lets it end.
type round struct {
	t             *testing.T
	folder        string
	sleeps, wakes *os.File
}

func startReload(t *testing.T, command string) *round {
	t.Helper()
	r := &round{t: t, folder: t.TempDir()}
	r.write("tls.crt", "first")
	stub := "#!/bin/sh\necho sleeping >&3\nread -r _ <&4\n"
	require.NoError(t, os.WriteFile(filepath.Join(r.folder, "sleep"), []byte(stub), 0o700))
	sleeps, begins, err := os.Pipe()
	require.NoError(t, err)
	ends, wakes, err := os.Pipe()
	require.NoError(t, err)
	r.sleeps, r.wakes = sleeps, wakes
	script := exec.CommandContext(context.WithoutCancel(t.Context()), "sh", filepath.Join(root(t), Folder, "overlays/prod/reload.sh"), command, filepath.Join(r.folder, "tls.crt"))
	script.Env = []string{"PATH=" + r.folder + ":" + os.Getenv("PATH"), "FOLDER=" + r.folder}
	script.ExtraFiles = []*os.File{begins, ends}
	require.NoError(t, script.Start())
	require.NoError(t, begins.Close())
	require.NoError(t, ends.Close())
	r.asleep()
	t.Cleanup(func() {
		_ = script.Process.Signal(syscall.SIGTERM)
		_ = script.Wait()
		require.Equal(t, 0, script.ProcessState.ExitCode(), "it ends on SIGTERM, without waiting for its sleep")
		_, _ = wakes.WriteString("end\n")
	})
	return r
}

func (r *round) write(name, text string) {
	r.t.Helper()
	require.NoError(r.t, os.WriteFile(filepath.Join(r.folder, name), []byte(text), 0o600))
}

func (r *round) asleep() {
	r.t.Helper()
	line := make([]byte, len("sleeping\n"))
	_, err := bufio.NewReaderSize(r.sleeps, len(line)).Read(line)
	require.NoError(r.t, err)
}

// pass lets a minute go by, until the next one begins.
func (r *round) pass() {
	r.t.Helper()
	_, err := r.wakes.WriteString("wake\n")
	require.NoError(r.t, err)
	r.asleep()
}

// ran is what the command has written.
func (r *round) ran() string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.folder, "ran"))
	if !os.IsNotExist(err) {
		require.NoError(r.t, err)
	}
	return string(text)
}

func TestARenewedCertificateIsReadOnce(t *testing.T) {
	t.Parallel()
	r := startReload(t, `cat "$FOLDER/tls.crt" >> "$FOLDER/ran"; echo >> "$FOLDER/ran"`)
	require.Empty(t, r.ran(), "what has just started has read it")
	r.pass()
	require.Equal(t, "first\n", r.ran(), "unless it changed in between")
	r.pass()
	require.Equal(t, "first\n", r.ran())
	r.write("tls.crt", "second")
	r.pass()
	r.pass()
	require.Equal(t, "first\nsecond\n", r.ran())
}

func TestAReloadThatFailsIsTriedAgain(t *testing.T) {
	t.Parallel()
	r := startReload(t, `echo tried >> "$FOLDER/ran"; test -e "$FOLDER/up"`)
	r.pass()
	r.pass()
	require.Equal(t, "tried\ntried\n", r.ran())
	r.write("up", "")
	r.pass()
	r.pass()
	require.Equal(t, "tried\ntried\ntried\n", r.ran())
}
