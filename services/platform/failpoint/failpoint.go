// Package failpoint names moments at which a process may die, for tests that kill it there and count what is left. In the
// product's builds passing one does nothing; with the build tag "failpoints" the variable FAILPOINTS says which kill.
package failpoint

// Said is the line that a process writes to its log when that failpoint kills it.
func Said(name string) string { return "failpoint " + name + " kills\n" }
