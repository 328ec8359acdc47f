package sales

// CardPayment is the provider's name of a payment by card.
const CardPayment = "card"

// Means is what an order was paid by. It is zero where nothing was charged, and where the provider has not said.
type Means struct {
	// Kind of payment by the provider's name, such as "card", "paypal" or "bacs_debit".
	Kind string
	// Brand of a card by the provider's name, such as "visa"; empty for another kind.
	Brand string
	// Last4 digits of a card or a bank account; empty for means without a number.
	Last4 string
}
