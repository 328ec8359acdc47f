package webdriver

import "syscall"

// apart gives a program a group of its own, which Close ends as a whole; it ends with this process too, however that happens.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
