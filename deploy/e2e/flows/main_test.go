// Package flows has what people do with the product in a real browser. A test that fails may be run once more, alone: nothing
// of money, access or loss belongs here.
package flows

import (
	"os"
	"testing"

	"serein.app/deploy/e2e/suite"
)

// product is what the tests of this package share.
var product = &suite.Product{}

func TestMain(m *testing.M) {
	os.Exit(suite.Main(m, product, suite.Options{Chromium: true, SlowNarrator: true}))
}
