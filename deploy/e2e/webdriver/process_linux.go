package webdriver

import "syscall"

// apart starts a program in a separate process group, which Close ends as a whole. The kernel also kills the program when this process
// ends, for whatever reason.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
