//go:build full

package suite

// Full is whether this run has every screen, page and row of a test: make e2e-full has.
const Full = true
