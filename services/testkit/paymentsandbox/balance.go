package paymentsandbox

// least is the smallest charge in a currency, in minor units: what is less waits for the next invoice, as at Stripe.
func least(currency string) int64 {
	if currency == "gbp" {
		return 30 //nolint:mnd // Stripe's
	}
	return 50 //nolint:mnd // that of most
}

// tooSmall says that a payment of that amount is refused: nothing is too small to be charged, but none is.
func tooSmall(amount int64, currency string) bool { return amount > 0 && amount < least(currency) }

// amountTooSmall is the refusal.
func amountTooSmall(currency string) *apiError {
	return invalid("line_items", "amount_too_small", "The Checkout Session's total amount due must add up to at least "+money(least(currency), currency)+".")
}

// left is what stays in a customer's balance after an invoice of that total: a credit (below 0) that was not used up, or a sum too
// small to charge. The rest is due now.
func left(total, balance int64, currency string) int64 {
	if sum := total + balance; sum < least(currency) {
		return sum
	}
	return 0
}

// billed is what an invoice comes to; below 0 it is a credit.
func (s *Sandbox) billed(i *invoice) int64 { return s.goods(i.Lines) - i.Off }

// due is what an invoice asks for, after what the customer's balance gave or took.
func (s *Sandbox) due(i *invoice) int64 { return s.billed(i) + i.Starting - i.Ending }

// balanceAfter keeps what an invoice left with its customer.
func (s *Sandbox) balanceAfter(i *invoice) {
	payer, ok := s.payer(i.Customer)
	if !ok || payer.Balance == i.Ending {
		return
	}
	payer.Balance = i.Ending
	s.tell("customer.updated", payer.show())
}
