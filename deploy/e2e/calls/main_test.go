// Package calls proves what answers over HTTP and gRPC do, without a browser: who may ask, what is refused and what becomes of bad input.
package calls

import (
	"os"
	"testing"

	"serein.app/deploy/e2e/suite"
)

// product is what the tests of this package share.
var product = &suite.Product{}

func TestMain(m *testing.M) { os.Exit(suite.Main(m, product, suite.Options{SlowNarrator: true})) }
