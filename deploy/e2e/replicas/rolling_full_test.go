//go:build full

package replicas

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/e2e/harness"
)

// What members do while every process is restarted, and how many do it.
const (
	reading, listening, generating = "reading", "listening", "generating"
	each                           = 2
)

// maker is a member with the meditations that they were given.
type maker struct {
	*harness.Member

	made []string
}

func TestARollingRestartFailsNoRequest(t *testing.T) {
	ctx, w := t.Context(), &work{}
	going, stop := context.WithCancel(ctx)
	t.Cleanup(func() { stop(); w.all.Wait() })
	makers := make([]maker, each)
	for i := range makers {
		m := rich(ctx, t)
		id, err := generate(ctx, m)
		require.NoError(t, err)
		found, err := m.Meditation(ctx, id)
		require.NoError(t, err)
		makers[i] = maker{m, []string{id}}
		w.keep(going, reading, func(ctx context.Context) error { return readAll(ctx, m) })
		w.keep(going, listening, func(ctx context.Context) error { return listen(ctx, m, found.GetMeditation().GetAudioUrl()) })
		w.keep(going, generating, func(ctx context.Context) error {
			id, err := generate(ctx, m)
			if err == nil {
				makers[i].made = append(makers[i].made, id) // nobody else does before the end
			}
			return err
		})
	}
	before := pids(t)
	require.NoError(t, product.RollingRestart(ctx))
	after := pids(t)
	for process, pid := range before {
		require.NotEqual(t, pid, after[process], process)
	}
	// Each of them makes one more after the last start.
	reached := w.count(generating)
	require.NoError(t, harness.Eventually(ctx, "a meditation after the restart", func(context.Context) (bool, error) { return w.count(generating) >= reached+each, nil }))
	stop()
	w.all.Wait()
	t.Logf("%d processes restarted; pages read %d times, recordings heard %d times, %d meditations made",
		len(before), w.count(reading)*len(pages), w.count(listening), w.count(generating))
	require.NoError(t, errors.Join(w.faults...))
	for _, m := range makers {
		requirePaidOnce(ctx, t, m.Member, m.made)
	}
}

// pids are the processes of all programs.
func pids(t *testing.T) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, process := range product.Processes() {
		pid, err := product.Pid(process)
		require.NoError(t, err)
		found[process] = pid
	}
	return found
}
