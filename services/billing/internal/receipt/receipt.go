// Package receipt lays an order out as a receipt in PDF: one page of A4 for all that people buy, more where it is much.
//
// It names seller, buyer and means of payment, as far as they are known. It refuses to reckon: every figure is the order's. Names and
// addresses are in their own script, or in Latin letters where no font has it (package typeset).
//
// A receipt names the seller (RECEIPT_FROM), the buyer as identity knows them, where it was sent to, with the country in words, and what it was
// paid by: "Visa ending 4242", another kind of payment by its name, or the credit balance where that paid all. An order keeps kind, brand and
// last four digits from the charge of its checkout or of its invoice, and forgets them with the account. What is unknown is left out, so
// receipts of orders from before those columns name no means.
package receipt

import (
	"bytes"
	"fmt"

	"codeberg.org/go-pdf/fpdf"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/country"
	"serein.app/services/platform/money"
)

// House is whom a receipt is from.
type House struct {
	// Lines of name and address; none are left out.
	Lines []string
	// VATNumber is printed where the order has VAT.
	VATNumber string
}

// Buyer is whom a receipt is for. What is empty is left out.
type Buyer struct {
	Name, Email string
}

// PDF makes the receipt of a paid order. The same order, seller and buyer make the same bytes.
func PDF(o sales.Order, from House, to Buyer) ([]byte, error) {
	p := &page{sheet: newSheet(), order: o}
	p.SetTitle("Receipt "+o.Number(), true)
	p.SetCreationDate(o.CompletedAt)
	p.SetModificationDate(o.CompletedAt)
	p.AddPage()
	p.heading()
	p.parties(from, to)
	p.lines()
	p.totals()
	p.address()
	var out bytes.Buffer
	if err := p.Output(&out); err != nil {
		return nil, fmt.Errorf("receipt %s: %w", o.Number(), err)
	}
	return out.Bytes(), nil
}

type page struct {
	*sheet
	order sales.Order
}

func (p *page) heading() {
	p.style(true, 20)
	p.write(margin, width, 10, "Serein")
	p.style(false, 10)
	p.SetTextColor(90, 90, 90)
	p.write(margin, width, 6, "Crafted Calm")
	p.SetTextColor(0, 0, 0)
	p.Ln(8)
	p.style(true, 14)
	p.write(margin, width, 8, "Receipt "+p.order.Number())
	p.style(false, 10)
	p.write(margin, width, 6, "Paid on "+p.order.CompletedAt.Format("2 January 2006"))
	p.write(margin, width, 6, paidBy(p.order))
	p.Ln(4)
}

// parties are seller and buyer, side by side.
func (p *page) parties(from House, to Buyer) {
	seller := from.Lines
	if p.order.VATPercent > 0 && from.VATNumber != "" {
		seller = append(seller[:len(seller):len(seller)], "VAT number "+from.VATNumber)
	}
	top := p.GetY()
	p.block(margin, "Sold by", seller)
	end := p.GetY()
	p.SetY(top)
	p.block(margin+column+gap, "Sold to", []string{to.Name, to.Email})
	p.SetY(max(end, p.GetY()))
	p.Ln(6)
}

// block is some lines under a title, and nothing where all of them are empty.
func (p *page) block(x float64, title string, lines []string) {
	titled := false
	for _, line := range lines {
		if !titled && p.sets(line) {
			p.style(true, 10)
			p.write(x, column, 6, title)
			p.style(false, 10)
			titled = true
		}
		p.write(x, column, 5, line)
	}
}

func (p *page) address() {
	a := p.order.Address
	if a == nil {
		return
	}
	p.Ln(8)
	p.block(margin, "Sent to", append(append([]string{a.Name}, a.Lines()...), a.City, a.PostalCode, country.Name(a.Country)))
}

func (p *page) money(amount int64) string { return money.Format(amount, p.order.Currency) }

// newSheet is an empty document.
func newSheet() *sheet {
	s := &sheet{Fpdf: fpdf.New("P", "mm", "A4", ""), loaded: map[string]bool{}}
	s.SetCreator("Serein", true)
	s.SetLang("en-GB")
	s.SetCatalogSort(true)
	s.SetMargins(margin, margin, margin)
	s.SetCellMargin(0)
	s.SetAutoPageBreak(false, margin)
	return s
}
