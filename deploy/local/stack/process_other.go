//go:build !linux

package stack

import "os/exec"

// dieWithUs: only Linux can promise it; elsewhere a killed test leaves services behind.
func dieWithUs(*exec.Cmd) {}
