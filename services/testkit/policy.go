package testkit

import (
	"slices"

	"serein.app/services/platform/auth"
)

// Delegated lists, in order, what a policy lets an actor call in a member's stead.
func Delegated(policy auth.Policy) []string {
	var open []string
	for procedure, rule := range policy {
		actor := auth.Subject{UID: "0192f0c1-0000-7000-8000-00000000000a", Actor: "reports", Admin: true}
		for _, service := range rule.Services {
			if rule.Check(auth.Caller{Service: service, Subject: actor}) == nil {
				open = append(open, procedure)
				break
			}
		}
	}
	slices.Sort(open)
	return open
}
