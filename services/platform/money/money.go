// Package money formats amounts, the same on pages, in letters and on receipts. It calculates nothing.
package money

import (
	"fmt"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Format writes an amount of minor units as "£1,204.00", "−£6.13" or "EUR 7.99". currency is an ISO 4217 code in lower case; empty
// means "gbp". Every currency that Serein sells in has a hundred minor units. The app formats the same way
// (frontend/src/lib/money.ts).
func Format(amount int64, currency string) string {
	symbol := strings.ToUpper(currency) + " "
	if currency == "gbp" || currency == "" {
		symbol = "£"
	}
	sign := ""
	if amount < 0 {
		sign, amount = "−", -amount
	}
	return sign + symbol + message.NewPrinter(language.BritishEnglish).Sprintf("%d", amount/100) + fmt.Sprintf(".%02d", amount%100)
}
