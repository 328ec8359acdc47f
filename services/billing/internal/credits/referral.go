package credits

import (
	"time"

	"github.com/google/uuid"
)

// Reward of a referral for each of the two, in credits that never expire (the decisions on the specification, "Trial and referral").
const Reward = 5

const (
	// RewardsAMonth bounds what one member can gain by invitations: whoever makes up friends pays a membership for each, and this
	// keeps it from paying off at scale. Nobody whom twenty friends a month follow in earnest is hurt: the friends get theirs.
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
