//go:build !full

package suite

// Full is whether this run has every screen, page and row of a test: make test has those that a change is most likely to break.
const Full = false
