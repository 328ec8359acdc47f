//go:build !linux

package webdriver

import "syscall"

// apart gives a program a group of its own, which Close ends as a whole. Elsewhere than on Linux a killed test leaves browsers behind.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
