package paymentsandbox

import "strings"

// Card is a test card, by its number without spaces. Of other numbers nothing is kept but the last digits.
type Card string

// The test cards. They are Stripe's, but for FailsAtRenewal, which Stripe declines at its first payment too.
// Each is accepted or not for all that follows as well: a change of the price is charged like a renewal.
const (
	Accepted          Card = "4242424242424242"
	Declined          Card = "4000000000000002"
	NoMoney           Card = "4000000000009995"
	AcceptedDebit     Card = "4000056655665556"
	AcceptedElsewhere Card = "5555555555554444" // of another brand
	NeedsConfirmation Card = "4000002500003155"
	FailsAtRenewal    Card = "4000000000000341"
)

// decline is why a card is declined now; empty where it is not.
func (c Card) decline(renewal bool) string {
	switch c {
	case Accepted, AcceptedDebit, AcceptedElsewhere, NeedsConfirmation:
		return ""
	case FailsAtRenewal:
		if renewal {
			return "generic_decline"
		}
		return ""
	case NoMoney:
		return "insufficient_funds"
	case Declined:
		return "generic_decline"
	}
	return "test_mode_live_card"
}

// known says whether it is a test card.
func (c Card) known() bool { return c.decline(true) != "test_mode_live_card" }

// last4 is the card's last four digits, by which people recognise it.
func (c Card) last4() string { return string(c[max(0, len(c)-4):]) }

// readCard takes a number as people write it.
func readCard(number string) Card {
	return Card(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' {
			return -1
		}
		return r
	}, number))
}
