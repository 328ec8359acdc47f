package embedded

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// nobody is the unprivileged user's id on every Linux.
const nobody = 65534

// dacOverride is CAP_DAC_OVERRIDE, linux/capability.h: the server may pass folders that only
// root can, such as root's home; it still runs as nobody, which is all PostgreSQL asks for.
const dacOverride = 1

func command(ctx context.Context, cfg Config, name string, args ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(cfg.Binaries, "bin", name), args...)
	cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin", "TZ=UTC"}
	cmd.Dir = "/"
	if cfg.Log != nil {
		cmd.Stdout, cmd.Stderr = cfg.Log, cfg.Log
	}
	// Its own group: Ctrl-C in the terminal reaches us, and we stop it in order. Should we be
	// killed, it ends with us.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGINT}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
		cmd.SysProcAttr.AmbientCaps = []uintptr{dacOverride}
		// The capability holds from the new program's start, so the program itself is handed
		// over open: nobody may not be able to reach it by its path.
		program, err := os.Open(cmd.Path)
		if err != nil {
			return nil, err
		}
		cmd.ExtraFiles, cmd.Path = []*os.File{program}, "/proc/self/fd/3"
	}
	return cmd, nil
}

// own hands the folder over to nobody. The root keeps a link that appears meanwhile from
// leading out of it.
func own(path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return fs.WalkDir(root.FS(), ".", func(p string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return root.Lchown(p, nobody, nobody)
	})
}
