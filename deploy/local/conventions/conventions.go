// Package conventions reads the repository's sources and holds what no compiler can: no program
// knows a plan by its id, every event is published by somebody, and a further service costs one
// line outside its own tree. It has tests only.
package conventions
