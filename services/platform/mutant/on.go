//go:build mutants

package mutant

import "os"

// On says whether the fault is the one that is switched on.
func On(name string) bool { return os.Getenv("MUTANT") == name }
