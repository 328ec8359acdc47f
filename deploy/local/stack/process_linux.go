package stack

import (
	"os/exec"
	"syscall"
)

// dieWithUs ends a service when this process ends, however that happens.
func dieWithUs(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
