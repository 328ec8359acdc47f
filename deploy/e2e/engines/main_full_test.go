//go:build full

package engines

import (
	"os"
	"testing"

	"serein.app/deploy/e2e/suite"
)

// product is what the tests of this package share.
var product = &suite.Product{}

func TestMain(m *testing.M) {
	os.Exit(suite.Main(m, product, suite.Options{HTTPS: true, SlowNarrator: true}))
}
