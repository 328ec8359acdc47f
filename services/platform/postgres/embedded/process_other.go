//go:build !linux

package embedded

import (
	"context"
	"os/exec"
	"path/filepath"
	"syscall"
)

func command(ctx context.Context, cfg Config, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(cfg.Binaries, "bin", name), args...)
	cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin", "TZ=UTC"}
	cmd.Dir = "/"
	if cfg.Log != nil {
		cmd.Stdout, cmd.Stderr = cfg.Log, cfg.Log
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// own has nothing to do: these systems run the product as an ordinary user.
func own(string) error { return nil }
