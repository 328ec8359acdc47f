//go:build !linux

package webdriver

import "syscall"

// apart starts a program in a separate process group, which Close ends as a whole. On other systems than Linux, a killed test leaves
// browsers running.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
