// Package failpoint names moments at which a process may die, for tests that kill it there and count what is left. In the
// product's builds passing one does nothing; with the build tag "failpoints" the variable FAILPOINTS says which kill. points.go lists them.
package failpoint

// Said is the line that a process writes to its log when that failpoint kills it.
func Said(p Point) string { return "failpoint " + string(p) + " kills\n" }
