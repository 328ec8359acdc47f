package credits

import (
	"time"

	"github.com/google/uuid"
)

// Reward of a referral for each of the two, in credits that never expire (the decisions on the specification, "Trial and referral").
const Reward = 5

const (
	// RewardsAMonth limits how many rewards one member gets a month. A member who invents friends pays a membership for each; the limit
	// keeps that from paying off at scale. If more than twenty real friends join in a month, each friend still gets their own reward.
	RewardsAMonth = 20
	// Month of RewardsAMonth.
	Month = 30 * 24 * time.Hour
)

// Referrals are what a member's invitations came to.
type Referrals struct {
	// Invited friends have an account, Rewarded ones have paid a membership. Credits that the member has of it.
	Invited, Rewarded int32
	Credits           int64
}

// FriendCause and ReferrerCause are the causes of a reward's two grants: a friend's is given once.
func FriendCause(friend uuid.UUID) string { return "referral:" + friend.String() + ":friend" }

// ReferrerCause is the other one.
func ReferrerCause(friend uuid.UUID) string { return "referral:" + friend.String() + ":referrer" }
