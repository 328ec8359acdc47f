package stack

import (
	"fmt"

	"github.com/nats-io/nkeys"

	"serein.app/services/platform/bus"
)

// BrokerAccess is what the broker's configuration says of who may do what: of every program of
// the list, with the keys of this machine.
func (s *Stack) BrokerAccess() (string, error) {
	members := make([]bus.Member, len(programs))
	for i, p := range programs {
		key, err := s.brokerKey(p.name)
		if err != nil {
			return "", err
		}
		members[i] = bus.Member{Service: p.name, Key: key, Consumes: p.consumes, Follows: p.follows}
	}
	return bus.AccessConfig(members)
}

// brokerKey is the public half of a service's key.
func (s *Stack) brokerKey(service string) (string, error) {
	seed, err := s.settings.nkey(service)
	if err != nil {
		return "", err
	}
	pair, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return "", fmt.Errorf("broker's key of %s: %w", service, err)
	}
	return pair.PublicKey()
}
