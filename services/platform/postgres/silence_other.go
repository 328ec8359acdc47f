//go:build !linux

package postgres

import "syscall"

// boundUnanswered leaves it to the system, which has no such option.
func boundUnanswered(_, _ string, _ syscall.RawConn) error { return nil }
