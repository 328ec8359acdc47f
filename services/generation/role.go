package generation

import "errors"

// Role is the part of the service that a process takes. A deployment with processes for each scales narration, which
// takes processors, apart from what members ask, which takes none.
type Role string

const (
	// AllRoles answers and narrates, in one process.
	AllRoles Role = "all"
	// Requests answers the other services, and makes nothing but the short recordings that every member hears.
	Requests Role = "requests"
	// Narration makes meditations and narrations, and answers nobody.
	Narration Role = "narration"
)

func (r Role) answers() bool  { return r != Narration }
func (r Role) narrates() bool { return r != Requests }

func (r Role) validate() error {
	switch r {
	case AllRoles, Requests, Narration:
		return nil
	}
	return errors.New("GENERATION_ROLE: want all, requests or narration")
}
