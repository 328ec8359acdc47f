package stack

import (
	"fmt"

	"github.com/nats-io/nkeys"

	"serein.app/services/platform/bus"
)

// BrokerAccess is what the broker's configuration says of who may do what: of every program of
// the list, with the keys of this machine, and of who reads events beside them.
func (s *Stack) BrokerAccess() (string, error) {
	members, err := s.members()
	if err != nil {
		return "", err
	}
	return bus.AccessConfig(members)
}

// ownAccess is that of the broker which this machine runs: it also knows the example's consumer, which no other broker shall let in.
func (s *Stack) ownAccess() (string, error) {
	members, err := s.members()
	if err != nil {
		return "", err
	}
	key, err := s.brokerKey(ReportsConsumer)
	if err != nil {
		return "", err
	}
	reports, err := consumer{Name: ReportsConsumer, Key: key, Consumes: []string{"CreditsSpent"}}.member()
	if err != nil {
		return "", err
	}
	return bus.AccessConfig(append(members, reports))
}

func (s *Stack) members() ([]bus.Member, error) {
	members := make([]bus.Member, len(programs))
	for i, p := range programs {
		key, err := s.brokerKey(p.name)
		if err != nil {
			return nil, err
		}
		members[i] = bus.Member{Service: p.name, Key: key, Consumes: p.consumes, Follows: p.follows}
	}
	others, err := readConsumers(s.absolute(consumersFile))
	return append(members, others...), err
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
