package sales

import (
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"serein.app/services/platform/itemkind"
)

// OrderState is the state of an order.
type OrderState string

// The states. An order begins as Open; Completed and Refunding are final.
const (
	Open       OrderState = "open"
	Processing OrderState = "processing"
	Completed  OrderState = "completed"
	Closed     OrderState = "closed"
	Refunding  OrderState = "returning"
)

// Edges are the changes of state that an order may make; the database enforces the same. If a closed order is paid after all, billing
// completes it.
var Edges = map[OrderState][]OrderState{
	Open:       {Processing, Completed, Closed, Refunding},
	Processing: {Completed, Closed, Refunding},
	Closed:     {Completed, Refunding},
	Completed:  {},
	Refunding:  {},
}

// Cause says what an order was made by.
type Cause string

// The causes, as events name them.
const (
	// Checkout: the member chose and paid.
	Checkout Cause = "checkout"
	// Renewal: a further period of a membership was charged.
	Renewal Cause = "renewal"
	// PlanChange: the difference of a change of plan was charged.
	PlanChange Cause = "change"
)

// RefundReason says why money of an order went back, or why it is ours again.
type RefundReason string

// The reasons, as events name them.
const (
	// Refund: we gave it back.
	Refund RefundReason = "refund"
	// TakenByBank: the bank took it back, asked by the member.
	TakenByBank RefundReason = "dispute"
	// SecondMembership: another membership ran when it was paid, so nothing of it was given.
	SecondMembership RefundReason = "second_membership"
	// AccountDeleted: the account was gone when it was paid, so nothing of it was given.
	AccountDeleted RefundReason = "account_deleted"
	// GivenByBank: a dispute was decided for us, and the bank has put back what it took.
	GivenByBank RefundReason = "dispute_won"
	// RefundFailed: what we sent did not reach the member, and is ours again.
	RefundFailed RefundReason = "refund_failed"
)

// Order is one checkout, or an invoice that a membership was charged by.
type Order struct {
	ID  uuid.UUID
	UID uuid.UUID
	// Sequence is what Number is made of.
	Sequence int64
	Key      string
	// Request is the SHA-256 of what the key was used with.
	Request []byte
	State   OrderState
	Lines   []Line
	// Total and Delivery in minor units; the total contains delivery and VAT. Discount is what a promotion code took off the
	// goods, FromBalance what a membership's member had been credited before; below 0 what was too little to be charged then. Both are
	// known once it is paid.
	Total, Delivery, Discount, FromBalance int64
	// Ships: it is sent by post.
	Ships      bool
	Currency   string
	VATPercent int32
	Live       bool
	CreatedAt  time.Time
	// ExpiresAt is when the provider's page is closed.
	ExpiresAt             time.Time
	SessionID, SessionURL string
	// Payment and Subscription are the provider's; empty until it is paid, where nothing was charged, and without a membership.
	Payment, Subscription string
	// PaidBy is known once it is paid, and until the account goes.
	PaidBy Means
	Cause  Cause
	// Invoice is the provider's; empty for a checkout.
	Invoice string
	// PeriodStart of the membership's period that it paid for, or the moment of a change; zero without one.
	PeriodStart time.Time
	// CompletedAt is zero until it is paid.
	CompletedAt time.Time
	// Refunded is all that has gone back, Disputed the part of it that a bank took. Restored counts how often some of it was ours again, and
	// CreditsTaken is what was taken back of its credits and not given back.
	Refunded, Disputed int64
	Restored           int32
	CreditsTaken       int64
	Address            *Address
	// SentAt is when what goes by post was sent; zero until somebody says so.
	SentAt time.Time
	// Tries counts the requests that the provider answered with an internal error. It is part of the next request's idempotency key.
	Tries int32
}

// Line is one thing of an order, as it was when the order began.
type Line struct {
	ProductID string
	// Size of a product, the period of a membership, else empty.
	Size     string
	Kind     itemkind.Kind
	Name     string
	Quantity int32
	// UnitAmount in minor units, Credits of one.
	UnitAmount, Credits int64
	PriceID             string
}

// Number is what people read.
func (o Order) Number() string { return "S-" + strconv.FormatInt(o.Sequence, 10) }

// key is the idempotency key of doing something for the order: the same until the provider has answered with a fault.
func (o Order) key(act string) string {
	if o.Tries == 0 {
		return act + ":" + o.ID.String()
	}
	return fmt.Sprintf("%s:%s:%d", act, o.ID, o.Tries)
}

// Waits says that the provider has the next word.
func (o Order) Waits() bool { return o.State == Open || o.State == Processing }

// Paid says that the money has come.
func (o Order) Paid() bool { return o.State == Completed || o.State == Refunding }

// Membership is the line that is paid every period; nil if the order has no such line.
func (o Order) Membership() *Line {
	for i, line := range o.Lines {
		if line.Kind == itemkind.Membership {
			return &o.Lines[i]
		}
	}
	return nil
}

// Charged is what was paid, in minor units; before that what will be, unless a promotion code is used or something was credited.
func (o Order) Charged() int64 { return o.Total - o.Discount - o.FromBalance }

// VAT contained in what is charged.
func (o Order) VAT() int64 { return VAT(o.Charged(), o.VATPercent) }

// Grant is credits that an order gives.
type Grant struct {
	Cause       string
	Description string
	Amount      int64
	// Plan credits end with the period; others never.
	Plan bool
}

// PackGrants are the credits of the packs, with a cause for each line.
func (o Order) PackGrants() []Grant {
	var all []Grant
	for i, line := range o.Lines {
		if line.Kind == itemkind.CreditPack && line.Credits > 0 {
			all = append(all, Grant{
				Cause: fmt.Sprintf("order:%s:%d", o.ID, i+1), Description: line.Name, Amount: line.Credits * int64(line.Quantity),
			})
		}
	}
	return all
}

// PeriodGrant is the credits of a paid period: one cause a subscription and period.
func PeriodGrant(line Line, subscription string, start time.Time) Grant {
	return Grant{Cause: fmt.Sprintf("subscription:%s:%d", subscription, start.Unix()), Description: line.Name, Amount: line.Credits, Plan: true}
}

// Share is how much of the credits goes back when the amount returned rises: never more in all than the returned part of what
// was charged, which is more than nothing where anything can be returned.
func (o Order) Share(credits, returnedBefore, returned int64) int64 {
	return credits*returned/o.Charged() - credits*returnedBefore/o.Charged()
}

// GivesBack is how many of the credits that were taken come back when what has gone falls to left: the same share of them as of the money,
// all of them once nothing is gone.
func (o Order) GivesBack(left int64) int64 {
	if o.Refunded == 0 {
		return 0
	}
	return o.CreditsTaken * (o.Refunded - left) / o.Refunded
}
