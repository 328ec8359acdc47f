// Package replicas runs the product as the manifests of deploy/k8s do: each program in the root file system of its image, as another user who
// can write to nothing but volumes, and two of each behind balancers. It restarts and kills them while members go on. The gate has only what
// needs no running product.
package replicas

import (
	"os"
	"testing"

	"serein.app/deploy/e2e/suite"
)

// product is what the tests of full share.
var product = &suite.Product{}

// drain is longer than a program keeps a connection that it does not use (outgoing.IdleTime), as that of the manifests is.
const drain = "6s"

func TestMain(m *testing.M) {
	if !suite.Full {
		os.Exit(m.Run())
	}
	os.Exit(suite.Main(m, product, suite.Options{Images: true, Replicas: 2, Environ: map[string]string{"DRAIN_DELAY": drain}}))
}
