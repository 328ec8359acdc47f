package stack

import (
	"fmt"
	"slices"
)

// ClientEnviron is what a program reads from its environment to call the product as that client of this machine.
func (s *Stack) ClientEnviron(id string) (map[string]string, error) {
	if !slices.ContainsFunc(s.clients(), func(c client) bool { return c.ID == id }) {
		return nil, fmt.Errorf("this machine has made no client %q; its own are %s, %s and %s", id, ReportsClient, ProgramClient, OtherClient)
	}
	return map[string]string{
		"OIDC_ISSUER": s.Issuer(), "CLIENT_ID": id, "CLIENT_SECRET": s.ClientSecret(id),
		"SEREIN_URL": s.URL(), "BILLING_URL": s.ServiceURL("billing"),
	}, nil
}

// ConsumerEnviron is what a program reads from its environment to follow events as that consumer of this machine.
func (s *Stack) ConsumerEnviron(name string) (map[string]string, error) {
	if name != ReportsConsumer {
		return nil, fmt.Errorf("this machine has made no key for %q, only for %s: the seed of another is its owner's", name, ReportsConsumer)
	}
	seed, err := s.settings.nkey(name)
	if err != nil {
		return nil, err
	}
	return map[string]string{"NATS_URL": s.natsURL(), "NATS_NKEY": seed, "CONSUMER": name}, nil
}
