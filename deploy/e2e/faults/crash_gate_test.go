//go:build !full

package faults

// crashes are those of two parts; a run with all there is has five rows.
var crashes = []crash{generationDies, postgresDies}
