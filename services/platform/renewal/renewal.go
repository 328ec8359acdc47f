// Package renewal owns the times of a session's renewal that the gateway and the identity provider must agree on. An answer may be lost
// after the provider has replaced the refresh token, and the next try brings the old one once more: it must come while the provider
// still takes it. The package renews nothing itself.
package renewal

import (
	"time"

	"serein.app/services/platform/deadline"
)

// Rest is how long the gateway leaves a provider alone that did not answer, for all replicas together.
const Rest = 5 * time.Second

// slack is for what the times below do not count: a stopped process, a replica that takes over, the network.
const slack = 30 * time.Second

var (
	// Wait is how long the gateway waits for the provider's answer: the specification's time.
	Wait = deadline.Of(10 * time.Second)
	// Grace is how long after its use a refresh token still gives its successor, while that is unused: two tries of the gateway whose
	// answers are lost, each with its rest, and slack. A minute, unless DEADLINE_SCALE makes it longer.
	Grace = 2*(Wait+Rest) + slack
)
