// Package itemkind names the kinds of what is sold, by the words that the shop's items, events and tables have for them. The contracts'
// enums have the same three.
package itemkind

// Kind is what sort of thing is sold.
type Kind string

// The kinds.
const (
	// Membership is a plan, paid every period.
	Membership Kind = "membership"
	// CreditPack is paid once, and gives credits.
	CreditPack Kind = "credit_pack"
	// Product is sent by post.
	Product Kind = "product"
)

// Known says whether it is one of these. A newer release may send others.
func (k Kind) Known() bool { return k == Membership || k == CreditPack || k == Product }
