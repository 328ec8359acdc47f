package letters

import "github.com/google/uuid"

// Topic names what a letter is about where something newer may make it untrue: a payment that was mended, a cancellation that was
// taken back.
func Topic(about string, uid uuid.UUID) string { return about + ":" + uid.String() }

// What letters that may become untrue are about.
const (
	OfTrial   = "trial"
	OfPayment = "payment"
	// OfEnd is whether the membership will end.
	OfEnd     = "end"
	OfCredits = "credits"
	// OfPlan is which one it is.
	OfPlan = "plan"
)

// Topics are all of a member's.
func Topics(uid uuid.UUID) []string {
	return []string{Topic(OfCredits, uid), Topic(OfEnd, uid), Topic(OfPayment, uid), Topic(OfPlan, uid), Topic(OfTrial, uid)}
}
