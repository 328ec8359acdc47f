// Package credits is the vocabulary of the credit ledger: accounts, grants, holds, entries
// and the ways in which a change can be refused.
//
// It owns no rule of arithmetic: those are SQL functions beside the rows they change
// (package postgres), so that a rule and its lock cannot be apart. It refuses fractions:
// credits are whole numbers everywhere.
package credits

import (
	"math"
	"strings"
	"time"

	"github.com/google/uuid"

	"serein.app/services/billing/internal/plans"
)

// Pool says where a member's credits come from, and so what becomes of them.
type Pool string

// The pools. Plan credits end with the plan's period and are spent first; top-ups stay until
// they are used.
const (
	PlanPool  Pool = "plan"
	TopUpPool Pool = "top_up"
)

// Balance counts a member's credits. Held credits are in neither of the other two.
type Balance struct {
	PlanAvailable, TopUpAvailable, Held int64
}

// Total is what the ledger's entries add up to.
func (b Balance) Total() int64 { return b.PlanAvailable + b.TopUpAvailable + b.Held }

// Account is everything a page shows of a member's plan and credits.
type Account struct {
	// Subscription is nil while the trial has not started.
	Subscription *plans.Subscription
	Balance      Balance
	// ChangesAt is when time alone changes it; the zero time where it does not.
	ChangesAt time.Time
}

// Grant adds credits for one cause.
type Grant struct {
	UID    uuid.UUID
	Pool   Pool
	Amount int64
	// Cause is unique for all time, for example "trial:<uid>": a cause is granted once.
	Cause string
	// ExpiresAt ends plan credits; the zero time for top-ups.
	ExpiresAt time.Time
	// Description is what the member reads in the ledger; Reference names what it is for.
	Description, Reference string
}

// TrialCause is the cause of a member's trial credits.
func TrialCause(uid uuid.UUID) string { return "trial:" + uid.String() }

// HoldRequest asks for credits to be set aside.
type HoldRequest struct {
	UID    uuid.UUID
	Amount int64
	// Key makes the request idempotent.
	Key string
	// Reference names the work; what the member calls it is not ours to know.
	Reference string
	// TTL after which the hold ends by itself.
	TTL time.Duration
}

// Hold is credits set aside for work that has not finished.
type Hold struct {
	ID, UID uuid.UUID
	// Plan and TopUp are the credits of each pool.
	Plan, TopUp int64
	Reference   string
	ExpiresAt   time.Time
}

// Entry is one line of a member's ledger: an entry of the books, or a note of what changed nothing.
type Entry struct {
	// Position counts a member's entries: 1, 2, 3, … without gaps. That of a note is the last entry's before it.
	Position int64
	// Cause is what the entry was written for; with the pool it is unique.
	Cause string
	At    time.Time
	// Change is positive for a grant or a refund, negative for a spend or an expiry.
	Change int64
	// BalanceAfter counts both pools, holds not subtracted.
	BalanceAfter int64
	Pool         Pool
	Kind         Kind
	Description  string
	Reference    string
	// Number counts a member's notes in the same way; it is 0 for an entry.
	Number int64
	// Plan and TopUp are the credits that a release gave back.
	Plan, TopUp int64
}

// Place of an entry in the ledger: what is newer has the greater position, or the same and the greater number.
func (e Entry) Place() Place { return Place{e.Position, e.Number} }

// Place is where a line stands in a member's ledger.
type Place struct{ Position, Number int64 }

// NewestEntry below it is of that position: an entry stands before the notes of its position.
func (p Place) NewestEntry() int64 {
	if p.Number > 0 {
		return p.Position
	}
	return p.Position - 1
}

// Top is above all lines that there will ever be.
var Top = Place{Position: math.MaxInt64}

// Kind says why an entry was written.
type Kind string

// The kinds.
const (
	Granted  Kind = "grant"
	Spent    Kind = "spend"
	Refunded Kind = "refund"
	Expired  Kind = "expiry"
	// Reversed: what a grant gave was taken back, because its money went back.
	Reversed Kind = "reversal"
	// Released and FailedRenewal changed nothing: a hold ended without being captured, and a further period was not paid.
	Released      Kind = "release"
	FailedRenewal Kind = "failed_renewal"
	// Corrected and PlanEnded are what an operator did where no credits were left to take, or to end.
	Corrected Kind = "correction"
	PlanEnded Kind = "plan_end"
	// RewardTakenBack of an invitation when nothing was left of it.
	RewardTakenBack Kind = "reward_taken_back"
)

// Of is the contract's word for what an entry was written for: the first part of its cause, without the prefix that says what was done to
// the grant of that cause. It is empty if the entry's kind and reference say it already. The API shows no other part of a cause, since the
// cause of a reward names the other member.
func (e Entry) Of() string {
	cause := strings.TrimPrefix(strings.TrimPrefix(e.Cause, "reversal:"), "expiry:")
	word, of, _ := strings.Cut(cause, ":")
	switch {
	case word == "hold" || word == "refund" || e.Number > 0:
		return ""
	case word == "referral" && strings.Contains(of, ":friend"):
		return "invitation"
	}
	return word
}

// OpenHold is credits that are set aside now.
type OpenHold struct {
	At          time.Time
	Plan, TopUp int64
	Reference   string
}
