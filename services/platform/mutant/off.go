//go:build !mutants

package mutant

// On is always false.
func On(string) bool { return false }
