package embeddedpg

import (
	"io/fs"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// PostgreSQL refuses to run as root. As root it runs in a user namespace, in which root's own
// files belong to an ordinary user: folders that only root can enter are no obstacle, and
// nothing changes its owner. Where namespaces are not allowed it runs as nobody, who may pass
// any folder to its data, but must be able to reach the binaries: PostgreSQL asks for those with
// access(2), which knows no capabilities.
const (
	// nobody is the unprivileged user's id on every Linux.
	nobody = 65534
	// ordinary is root's id inside the namespace; any but 0.
	ordinary = 1000
	// dacOverride is CAP_DAC_OVERRIDE, linux/capability.h.
	dacOverride = 1
)

// attributes of the server's process: its own group, so that Ctrl-C in the terminal reaches us, and
// we stop it in order. Should we be killed, it ends with us.
func attributes() *syscall.SysProcAttr {
	attr := unprivileged()
	attr.Setpgid, attr.Pdeathsig = true, syscall.SIGINT
	return attr
}

func unprivileged() *syscall.SysProcAttr {
	switch {
	case os.Geteuid() != 0:
		return &syscall.SysProcAttr{}
	case namespaces():
		return namespaced()
	}
	return &syscall.SysProcAttr{
		Credential: &syscall.Credential{Uid: nobody, Gid: nobody}, AmbientCaps: []uintptr{dacOverride},
	}
}

func namespaced() *syscall.SysProcAttr {
	rootAs := []syscall.SysProcIDMap{{ContainerID: ordinary, HostID: 0, Size: 1}}
	return &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWUSER, UidMappings: rootAs, GidMappings: rootAs,
		Credential: &syscall.Credential{Uid: ordinary, Gid: ordinary, NoSetGroups: true},
	}
}

// namespaces says whether this system allows them: many containers do not.
var namespaces = sync.OnceValue(func() bool {
	probe := exec.Command("/bin/sh", "-c", "true")
	probe.SysProcAttr = namespaced()
	return probe.Run() == nil
})

// owner is who PostgreSQL is outside.
func owner() int {
	if os.Geteuid() == 0 && !namespaces() {
		return nobody
	}
	return os.Geteuid()
}

// own hands the folder over to the owner. The root keeps a link that appears meanwhile from
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
		return root.Lchown(p, owner(), owner())
	})
}
