package sales

import "slices"

// DisputeStatus is the provider's word for where a dispute stands. internal/stripe/README.md has the table of its states.
type DisputeStatus string

// The statuses. Those of an inquiry begin with "warning_": the bank asks, and has taken nothing.
const (
	InquiryNeedsResponse DisputeStatus = "warning_needs_response"
	InquiryUnderReview   DisputeStatus = "warning_under_review"
	InquiryClosed        DisputeStatus = "warning_closed"
	DisputeNeedsResponse DisputeStatus = "needs_response"
	DisputeUnderReview   DisputeStatus = "under_review"
	DisputeWon           DisputeStatus = "won"
	DisputeLost          DisputeStatus = "lost"
	DisputePrevented     DisputeStatus = "prevented"
)

// Dispute is what a bank asks back of a payment, or asks about it.
type Dispute struct {
	ID     string
	Status DisputeStatus
	Amount int64 // in minor units of the payment's currency
	// Withdrawn: the provider has taken the money from the account, and has not put it back.
	Withdrawn bool
}

// Takes is how much of a payment a dispute has taken: nothing while the bank only asks, and nothing once it is decided for us. A prevented
// dispute has taken what its movements of money say; if the payment was refunded instead, it has no movements. An unknown
// status takes nothing, and Known reports it.
func (d Dispute) Takes() int64 {
	switch d.Status {
	case DisputeNeedsResponse, DisputeUnderReview, DisputeLost, DisputePrevented:
		if d.Withdrawn {
			return d.Amount
		}
	case InquiryNeedsResponse, InquiryUnderReview, InquiryClosed, DisputeWon:
		return 0
	}
	return 0
}

// Asks says that the bank waits for an answer of the operator's, at the provider's pages.
func (d Dispute) Asks() bool {
	return d.Status == InquiryNeedsResponse || d.Status == DisputeNeedsResponse
}

// Known says that Takes knows the status.
func (d Dispute) Known() bool {
	switch d.Status {
	case InquiryNeedsResponse, InquiryUnderReview, InquiryClosed, DisputeNeedsResponse, DisputeUnderReview, DisputeWon, DisputeLost, DisputePrevented:
		return true
	}
	return false
}

// RepaymentStatus is the provider's word for where a refund stands. internal/stripe/README.md has the table of its states.
type RepaymentStatus string

// The statuses.
const (
	RepaymentPending   RepaymentStatus = "pending"
	RepaymentWaits     RepaymentStatus = "requires_action"
	RepaymentSucceeded RepaymentStatus = "succeeded"
	RepaymentFailed    RepaymentStatus = "failed"
	RepaymentCanceled  RepaymentStatus = "canceled"
)

// Repayment is a refund as the provider has it.
type Repayment struct {
	ID     string
	Status RepaymentStatus
	Amount int64 // in minor units of the payment's currency
}

// Takes is how much of a payment a refund sends back: all of it from the moment that it is asked for, and nothing once it has failed or
// was called off, since the money is ours again then. An unknown status takes nothing, and Known reports it.
func (r Repayment) Takes() int64 {
	switch r.Status {
	case RepaymentPending, RepaymentWaits, RepaymentSucceeded:
		return r.Amount
	case RepaymentFailed, RepaymentCanceled:
		return 0
	}
	return 0
}

// Known says that Takes knows the status.
func (r Repayment) Known() bool {
	switch r.Status {
	case RepaymentPending, RepaymentWaits, RepaymentSucceeded, RepaymentFailed, RepaymentCanceled:
		return true
	}
	return false
}

// Gone is what of a payment is not ours any more, in minor units.
type Gone struct {
	// Refunded is what refunds have sent back, Disputed what banks have taken beside it.
	Refunded, Disputed int64
}

// All of it.
func (g Gone) All() int64 { return g.Refunded + g.Disputed }

// Gone is what refunds and disputes have taken together, at most what was paid. What was refunded is counted first: a bank that takes
// the same money again takes nothing.
func (p Payment) Gone() Gone {
	g := Gone{Refunded: min(p.Refunded, p.Amount)}
	for _, d := range p.Disputes {
		g.Disputed += d.Takes()
	}
	g.Disputed = min(g.Disputed, p.Amount-g.Refunded)
	return g
}

// Strange are the unknown states of the payment's refunds and disputes, in the provider's words. With one of them the amount that has gone
// back is unknown.
func (p Payment) Strange() []string {
	words := slices.Clone(p.StrangeRefunds)
	for _, d := range p.Disputes {
		if !d.Known() {
			words = append(words, string(d.Status))
		}
	}
	return words
}

// Change says why what has gone of an order is another sum now; empty where it is the same. What a bank did is named first.
func (o Order) Change(now Gone) RefundReason {
	before := Gone{Refunded: o.Refunded - o.Disputed, Disputed: o.Disputed}
	switch {
	case now.All() > before.All() && now.Disputed > before.Disputed:
		return TakenByBank
	case now.All() > before.All():
		return Refund
	case now.All() < before.All() && now.Disputed < before.Disputed:
		return GivenByBank
	case now.All() < before.All():
		return RefundFailed
	}
	return ""
}
