package letters

import (
	"maps"
	"slices"
)

// Template names a letter.
type Template string

// The letters.
const (
	ConfirmationCode Template = "confirmation_code"
	AccountExists    Template = "account_exists"
	// PasswordReset holds the code that sets a new password, and PasswordChanged says that there is one.
	PasswordReset   Template = "password_reset"
	PasswordChanged Template = "password_changed"
	// AddressCode goes to the address that a member asks for, AddressNotice to the one that they have, and AddressChanged to the one
	// that they had.
	AddressCode    Template = "address_code"
	AddressNotice  Template = "address_notice"
	AddressChanged Template = "address_changed"
	// NewDevice tells a member of a sign-in with a browser that was not known.
	NewDevice Template = "new_device"
	// PasskeyAdded and PasskeyRemoved tell a member that there is one way in more or less.
	PasskeyAdded   Template = "passkey_added"
	PasskeyRemoved Template = "passkey_removed"
	// SecondStepOn and SecondStepOff tell a member that they are asked for a code beside their password, or no more.
	SecondStepOn  Template = "second_step_on"
	SecondStepOff Template = "second_step_off"
	// RecoveryCodeUsed tells a member that a recovery code was taken in the place of one of their app.
	RecoveryCodeUsed Template = "recovery_code_used"
	Welcome          Template = "welcome"
	// Contact is what somebody wrote to us.
	Contact Template = "contact"
	// Receipt is of an order that was paid.
	Receipt Template = "receipt"
	// OrderUnpaid is of an order whose payment was on its way and did not arrive.
	OrderUnpaid Template = "order_unpaid"
	// RefundSent is of money that we gave back.
	RefundSent Template = "refund"
	// PaymentReturned is of a second payment for a membership, of which nothing was given.
	PaymentReturned Template = "payment_returned"
	// RefundFailed is of a refund that did not reach the member, DisputeWon of money that their bank has given back to us.
	RefundFailed Template = "refund_failed"
	DisputeWon   Template = "dispute_won"
	// TrialStarted tells ourselves that a trial began.
	TrialStarted Template = "trial_started"
	TrialEnding  Template = "trial_ending"
	// Renewed is the receipt of a further period of a membership.
	Renewed Template = "renewed"
	// RenewedByCredit is of one for which nothing was charged, since the member's credit paid.
	RenewedByCredit Template = "renewed_by_credit" //nolint:gosec // a letter's name
	// PaymentFailed is sent three times while a renewal is unpaid, with another text each time.
	PaymentFailed Template = "payment_failed"
	PlanChanged   Template = "plan_changed"
	// Cancellation is of a membership that will end with its period, Reactivated of one that will not after all.
	Cancellation Template = "cancellation"
	Reactivated  Template = "reactivated"
	// Ended is of a membership that is over.
	Ended Template = "ended"
	// Invitation goes to a friend of a member.
	Invitation Template = "invitation"
	// Reward is what an invitation earned, RewardTakenBack that it went with the money.
	Reward          Template = "reward"
	RewardTakenBack Template = "reward_taken_back"
	// ApparelOrder tells ourselves that something is to be sent by post.
	ApparelOrder Template = "apparel_order"
	// LowBalance is of credits that are nearly spent.
	LowBalance Template = "low_balance"
	// DeletionScheduled is the receipt of a wish to leave, AccountDeleted the last letter.
	DeletionScheduled Template = "deletion_scheduled"
	AccountDeleted    Template = "account_deleted"
	// Free is written by an admin or a service account, in their own words.
	Free Template = "free"
)

// nature is what holds of a letter whomever it goes to.
type nature struct {
	urgency Urgency
	// part of Data that it needs beside a name and a code; empty for none.
	part string
	// kind that people may do without; empty for those about what they bought or did.
	kind Kind
	// bounded: somebody's acts may cause many, so a member gets so many in a day. What carries money is not, nor what a code answers.
	bounded bool
}

// natures are those of all letters: a new one stands here.
var natures = map[Template]nature{
	ConfirmationCode:  {urgency: Awaited},
	AccountExists:     {urgency: Awaited},
	PasswordReset:     {urgency: Awaited},
	PasswordChanged:   {urgency: Awaited},
	AddressCode:       {urgency: Awaited},
	AddressNotice:     {urgency: Awaited, part: "address"},
	AddressChanged:    {urgency: Awaited, part: "address"},
	NewDevice:         {urgency: Awaited, part: "device"},
	PasskeyAdded:      {urgency: Awaited},
	PasskeyRemoved:    {urgency: Awaited},
	SecondStepOn:      {urgency: Awaited},
	SecondStepOff:     {urgency: Awaited},
	RecoveryCodeUsed:  {urgency: Awaited},
	Receipt:           {urgency: Owed, part: "order"},
	OrderUnpaid:       {urgency: Owed, part: "order"},
	RefundSent:        {urgency: Owed, part: "refund"},
	PaymentReturned:   {urgency: Owed, part: "refund"},
	RefundFailed:      {urgency: Owed, part: "refund"},
	DisputeWon:        {urgency: Owed, part: "refund"},
	Renewed:           {urgency: Owed, part: "order"},
	RenewedByCredit:   {urgency: Owed, part: "membership"},
	PaymentFailed:     {urgency: Owed, part: "membership"},
	PlanChanged:       {urgency: Owed, part: "membership", bounded: true},
	Cancellation:      {urgency: Owed, part: "membership", bounded: true},
	Reactivated:       {urgency: Owed, part: "membership", bounded: true},
	Ended:             {urgency: Owed, part: "membership"},
	Welcome:           {urgency: Told},
	TrialEnding:       {urgency: Told, part: "membership", kind: Reminders, bounded: true},
	LowBalance:        {urgency: Told, part: "membership", kind: Reminders, bounded: true},
	Reward:            {urgency: Told, part: "membership", kind: Rewards, bounded: true},
	RewardTakenBack:   {urgency: Told, part: "membership", kind: Rewards, bounded: true},
	Invitation:        {urgency: Told, part: "invitation", kind: Invitations},
	Free:              {urgency: Told, part: "free"},
	Contact:           {urgency: ToUs, part: "writer"},
	TrialStarted:      {urgency: ToUs, part: "membership"},
	ApparelOrder:      {urgency: ToUs, part: "order"},
	DeletionScheduled: {urgency: Owed, part: "deletion"},
	AccountDeleted:    {urgency: Owed},
}

// Templates lists them all.
var Templates = slices.Sorted(maps.Keys(natures))

// Urgency says which letters go first: the lower one.
type Urgency int

// The urgencies.
const (
	// Awaited: somebody looks into their mailbox for it just now, or their account depends on it.
	Awaited Urgency = iota + 1
	// Owed: what they bought, paid or decided.
	Owed
	// Told: what is good to know.
	Told
	// ToUs: it goes to our own mailboxes and nobody else, and anybody may cause it.
	ToUs
)

// Known says that this release has such a letter; a later one may have more.
func (t Template) Known() bool { return natures[t].urgency != 0 }

// Urgency of the letter.
func (t Template) Urgency() Urgency { return natures[t].urgency }

// Bounded says that a member gets so many of them in a day, whatever happens.
func (t Template) Bounded() bool { return natures[t].bounded }

// HasCode says that the letter holds a code that somebody has just asked for.
func (t Template) HasCode() bool {
	return t == ConfirmationCode || t == PasswordReset || t == AddressCode || t == AddressNotice
}

// ToLeavers says that the letter goes also to a member who has asked for the account to be deleted: its receipt, and what they ask for.
func (t Template) ToLeavers() bool {
	return t == DeletionScheduled || t.Urgency() == Awaited || t.Ours()
}

// Ours says that the letter goes to our own mailboxes and nobody else.
func (t Template) Ours() bool { return t.Urgency() == ToUs }

// Kind is a kind of letters that people may do without; empty for those about what they bought or did.
type Kind string

// The kinds.
const (
	Reminders   Kind = "reminders"
	Rewards     Kind = "rewards"
	Invitations Kind = "invitations"
)

// NeedsConsent says that the letter invites people to buy: it is sent to those alone who have agreed to marketing, and to none of them who
// does without its kind. That a trial ends, or what an invitation earned, is news of what one has, and no marketing.
func (t Template) NeedsConsent() bool { return t == LowBalance }

// Kind of the letter.
func (t Template) Kind() Kind { return natures[t].kind }

// Suppression is why an address gets no letters, or fewer.
type Suppression string

// The reasons.
const (
	// Bounce: the receiving server said for good that the mailbox does not exist.
	Bounce Suppression = "bounce"
	// Complaint: the reader of the address marked a letter as unwanted.
	Complaint Suppression = "complaint"
)

// Stops says whether the letter is not sent to such an address. A code goes out in any case: somebody has just asked for it on
// our page, it is how a mailbox that was mended proves itself, and how many there are is limited where it is asked for. Who has
// complained still gets what is owed to somebody who pays: receipts, and that a payment failed or a membership ends. Our own
// mailboxes are ours to mend.
func (s Suppression) Stops(t Template) bool {
	switch {
	case t.Ours(), t.HasCode():
		return false
	case s == Complaint:
		return t.Kind() != "" || t == Welcome || t == Free
	}
	return s != ""
}
