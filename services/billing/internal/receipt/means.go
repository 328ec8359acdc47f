package receipt

import (
	"cmp"

	"serein.app/services/billing/internal/sales"
)

// brands are the cards' names by the provider's.
var brands = map[string]string{
	"amex": "American Express", "cartes_bancaires": "Cartes Bancaires", "diners": "Diners Club", "discover": "Discover", "eftpos_au": "eftpos",
	"jcb": "JCB", "mastercard": "Mastercard", "unionpay": "UnionPay", "visa": "Visa",
}

// kinds are the names of the other kinds of payment, by the provider's. One that is missing here is left out.
var kinds = map[string]string{
	"amazon_pay": "Amazon Pay", "bacs_debit": "Bacs Direct Debit", "bancontact": "Bancontact", "customer_balance": "bank transfer", "ideal": "iDEAL",
	"klarna": "Klarna", "link": "Link", "pay_by_bank": "Pay by Bank", "paypal": "PayPal", "revolut_pay": "Revolut Pay", "sepa_debit": "SEPA Direct Debit",
	"us_bank_account": "ACH Direct Debit",
}

// paidBy says what an order was paid by; empty where that is unknown, and where nothing was due.
func paidBy(o sales.Order) string {
	if o.Charged() == 0 {
		if o.FromBalance > 0 {
			return "Paid by credit balance"
		}
		return ""
	}
	by := kinds[o.PaidBy.Kind]
	if o.PaidBy.Kind == sales.CardPayment {
		by = cmp.Or(brands[o.PaidBy.Brand], "card")
	}
	if by == "" {
		return ""
	}
	if o.PaidBy.Last4 != "" {
		by += " ending " + o.PaidBy.Last4
	}
	return "Paid by " + by
}
