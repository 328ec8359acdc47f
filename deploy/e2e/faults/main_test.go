// Package faults takes parts of the product away, loses what they keep and measures them. Its tests run one after the other, and none is run
// once more.
package faults

import (
	"os"
	"testing"

	"serein.app/deploy/e2e/suite"
)

// product is what the tests of this package share.
var product = &suite.Product{}

func TestMain(m *testing.M) {
	os.Exit(suite.Main(m, product, suite.Options{Chromium: true, SlowNarrator: true, Replicas: 1}))
}
