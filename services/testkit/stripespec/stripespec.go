// Package stripespec holds what stands in for Stripe against Stripe's own description of its API, as stripe-mock brings it. Test
// only: the description is large.
package stripespec

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"github.com/stripe/stripe-mock/embedded"
	"github.com/stripe/stripe-mock/server"
	"github.com/stripe/stripe-mock/spec"
)

// description is Stripe's API with the stub that answers by it.
type description struct {
	spec *spec.Spec
	stub *server.StubServer
}

// described is read once: it takes a second or so.
var described = sync.OnceValues(func() (*description, error) {
	d := &description{spec: new(spec.Spec)}
	fixtures := new(spec.Fixtures)
	if err := json.Unmarshal(embedded.OpenAPISpec, d.spec); err != nil {
		return nil, fmt.Errorf("read the description: %w", err)
	}
	if err := json.Unmarshal(embedded.OpenAPIFixtures, fixtures); err != nil {
		return nil, fmt.Errorf("read the examples: %w", err)
	}
	stub, err := server.NewStubServer(fixtures, d.spec, false, false)
	if err != nil {
		return nil, err
	}
	d.stub = stub
	return d, nil
})

// Mock is stripe-mock: it takes requests by the description alone and answers with examples; it keeps nothing.
func Mock() (http.Handler, error) {
	d, err := described()
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(d.stub.HandleRequest), nil
}
