//go:build !linux

package embeddedpg

import "syscall"

// attributes of the server's process: its own group, so that Ctrl-C in the terminal reaches us, and
// we stop it in order.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// own has nothing to do: these systems run the product as an ordinary user.
func own(string) error { return nil }
