// Package critical has what people do in a real browser with money and access. A test that fails has failed: none is run once more.
package critical

import (
	"os"
	"testing"

	"serein.app/deploy/e2e/suite"
)

// product is what the tests of this package share.
var product = &suite.Product{}

func TestMain(m *testing.M) { os.Exit(suite.Main(m, product, suite.Options{Chromium: true})) }
