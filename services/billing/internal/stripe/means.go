package stripe

import (
	"github.com/stripe/stripe-go/v85"

	"serein.app/services/billing/internal/sales"
)

// readMeans says what a charge was paid by; zero where it was not paid, and where a checkout's answer has its id alone.
func readMeans(charge *stripe.Charge) sales.Means {
	if charge == nil || !charge.Paid || charge.PaymentMethodDetails == nil {
		return sales.Means{}
	}
	by := charge.PaymentMethodDetails
	read := sales.Means{Kind: string(by.Type)}
	switch {
	case by.Card != nil:
		read.Brand, read.Last4 = string(by.Card.Brand), by.Card.Last4
	case by.BACSDebit != nil:
		read.Last4 = by.BACSDebit.Last4
	case by.SEPADebit != nil:
		read.Last4 = by.SEPADebit.Last4
	case by.USBankAccount != nil:
		read.Last4 = by.USBankAccount.Last4
	}
	return read
}
