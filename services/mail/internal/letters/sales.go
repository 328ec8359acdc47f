package letters

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"serein.app/services/platform/itemkind"
)

// Person is whom a letter goes to.
type Person struct{ Email, GivenName string }

// Why a member's letter has nobody to go to.
var (
	ErrDeparted = errors.New("the account is deleted")
	ErrUnknown  = errors.New("no address is known")
)

// Order is what was bought, as it was charged. Amounts are in minor units of Currency, an ISO 4217 code in lower case.
type Order struct {
	Number   string `json:"number"`
	Currency string `json:"currency"`
	Lines    []Line `json:"lines"`
	// Total contains Delivery and VAT, and is what the Discount of a promotion code left to pay. VATPercent is 0 where none is charged.
	Total    int64 `json:"total"`
	Delivery int64 `json:"delivery"`
	Discount int64 `json:"discount,omitempty"`
	// Credited before, which paid a part too; Carried was too little to be charged before.
	Credited   int64 `json:"credited,omitempty"`
	Carried    int64 `json:"carried,omitempty"`
	VAT        int64 `json:"vat"`
	VATPercent int32 `json:"vat_percent"`
	// OfChange: it is what a change of the plan was charged with.
	OfChange bool `json:"of_change,omitempty"`
	// Until is when what a membership paid for ends; zero without one.
	Until time.Time `json:"until,omitzero"`
}

// Line is one thing of an order.
type Line struct {
	Name string `json:"name"`
	// Size of a product, the period of a membership ("month", "year"), else empty.
	Size       string        `json:"size,omitempty"`
	Kind       itemkind.Kind `json:"kind"`
	Quantity   int32         `json:"quantity"`
	UnitAmount int64         `json:"unit_amount"`
	// Credits that came with the whole line.
	Credits int64 `json:"credits,omitempty"`
}

// Refund is money of an order that went back: Amount now, Refunded in all.
type Refund struct {
	Number   string `json:"number"`
	Currency string `json:"currency"`
	Lines    []Line `json:"lines"`
	Total    int64  `json:"total"`
	Amount   int64  `json:"amount"`
	Refunded int64  `json:"refunded"`
	// CreditsTaken is what was taken back of the credits that the order had bought, CreditsGiven what of that came back.
	CreditsTaken int64 `json:"credits_taken,omitempty"`
	CreditsGiven int64 `json:"credits_given,omitempty"`
	// Until is when a membership ends that is open again; zero where none is.
	Until time.Time `json:"until,omitzero"`
}

// Ships says that something of it is sent by post.
func (o Order) Ships() bool { return has(o.Lines, itemkind.Product) }

// Shipped are the lines that are.
func (o Order) Shipped() []Line {
	return slices.DeleteFunc(slices.Clone(o.Lines), func(l Line) bool { return l.Kind != itemkind.Product })
}

func has(lines []Line, kind itemkind.Kind) bool {
	for _, l := range lines {
		if l.Kind == kind {
			return true
		}
	}
	return false
}

// Whole says that this refund is all that was paid.
func (r Refund) Whole() bool { return r.Amount == r.Total }

// Amount of the whole line.
func (l Line) Amount() int64 { return l.UnitAmount * int64(l.Quantity) }

// Title is the thing in words.
func (l Line) Title() string {
	switch {
	case l.Kind == itemkind.Membership && l.Size == "year":
		return l.Name + " membership, one year"
	case l.Kind == itemkind.Membership:
		return l.Name + " membership, one month"
	case l.Size != "":
		return l.Name + ", size " + l.Size
	}
	return l.Name
}

// Opens says what the line gave, in a sentence; empty for what is sent by post, which is one sentence for all.
func (l Line) Opens() string {
	switch {
	case l.Kind == itemkind.Membership && l.Credits > 0:
		return fmt.Sprintf("Your membership has started, with %s for meditations made just for you. It renews every %s; the Members Area shows when.",
			credits(l.Credits), l.Size)
	case l.Kind == itemkind.Membership:
		return fmt.Sprintf("Your membership has started. It renews every %s; the Members Area shows when.", l.Size)
	case l.Kind == itemkind.CreditPack && l.Credits == 1:
		return "We’ve added 1 credit to yours. It never expires."
	case l.Kind == itemkind.CreditPack:
		return "We’ve added " + credits(l.Credits) + " to yours. They never expire."
	}
	return ""
}

func credits(n int64) string {
	if n == 1 {
		return "1 credit"
	}
	return fmt.Sprint(n, " credits")
}

// currencies are codes as events name them.
var currencies = regexp.MustCompile(`^[a-z]{3}$`)

// check refuses an order that no receipt could be written of.
func (o *Order) check() error {
	if o == nil {
		return nil
	}
	return checkSale(o.Number, o.Currency, o.Lines)
}

// check refuses a refund that no letter could be written of.
func (r *Refund) check() error {
	if r == nil {
		return nil
	}
	return checkSale(r.Number, r.Currency, r.Lines)
}

func checkSale(number, currency string, lines []Line) error {
	if number == "" || len(lines) == 0 || !currencies.MatchString(currency) {
		return ErrText.On("order")
	}
	texts := map[string]string{"number": number}
	for i, l := range lines {
		if l.Name == "" || l.Quantity < 1 {
			return ErrText.On("lines")
		}
		texts[fmt.Sprintf("lines[%d].name", i)], texts[fmt.Sprintf("lines[%d].size", i)] = l.Name, l.Size
	}
	return checkLines(texts)
}

// OneLine is a name as it can stand in a line of a letter: what an editor has typed must not keep a receipt from being sent.
func OneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '\u2028', r == '\u2029':
			return ' '
		case unsendable(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText-len("…")], "") + "…"
	}
	return text
}
