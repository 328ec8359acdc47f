// Package receipt lays an order out as a receipt in PDF: one page of A4 for all that people buy, more where it is much.
//
// It refuses to reckon: every figure is the order's.
package receipt

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/country"
	"serein.app/services/platform/money"
)

// font is one that has the letters of names and places, not of English alone.
const font = "go"

const (
	margin, width = 20.0, 170.0 // in millimetres
	row           = 7.0
	lastLetter    = 0xFFFF // of the first plane
)

// House is whom a receipt is from.
type House struct {
	// Lines of name and address; none are left out.
	Lines []string
	// VATNumber is printed where the order has VAT.
	VATNumber string
}

// PDF makes the receipt of a paid order. The same order makes the same bytes.
func PDF(o sales.Order, from House) ([]byte, error) {
	p := &page{Fpdf: fpdf.New("P", "mm", "A4", ""), order: o, from: from}
	p.AddUTF8FontFromBytes(font, "", goregular.TTF)
	p.AddUTF8FontFromBytes(font, "B", gobold.TTF)
	p.SetTitle("Receipt "+o.Number(), true)
	p.SetCreator("Serein", true)
	p.SetLang("en-GB")
	p.SetCatalogSort(true)
	p.SetCreationDate(o.CompletedAt)
	p.SetModificationDate(o.CompletedAt)
	p.SetMargins(margin, margin, margin)
	p.SetAutoPageBreak(true, margin)
	p.AddPage()
	p.heading()
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
	*fpdf.Fpdf
	order sales.Order
	from  House
}

// CellFormat is the library's, for text of whatever letters.
func (p *page) CellFormat(w, h float64, text, border string, ln int, align string, fill bool, link int, address string) {
	p.Fpdf.CellFormat(w, h, inFormat(text), border, ln, align, fill, link, address)
}

// MultiCell is the library's, for text of whatever letters.
func (p *page) MultiCell(w, h float64, text, border, align string, fill bool) {
	p.Fpdf.MultiCell(w, h, inFormat(text), border, align, fill)
}

// SplitText is the library's, for text of whatever letters.
func (p *page) SplitText(text string, w float64) []string {
	return p.Fpdf.SplitText(inFormat(text), w)
}

// inFormat has a sign for each letter beyond the first plane, at which the format fails: emoji, rare Chinese letters.
func inFormat(text string) string {
	return strings.Map(func(r rune) rune {
		if r > lastLetter {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

func (p *page) heading() {
	p.SetFont(font, "B", 20)
	p.CellFormat(width, 10, "Serein", "", 1, "L", false, 0, "")
	p.SetFont(font, "", 10)
	p.SetTextColor(90, 90, 90)
	p.CellFormat(width, 6, "Crafted Calm", "", 1, "L", false, 0, "")
	for _, line := range p.from.Lines {
		p.CellFormat(width, 5, strings.TrimSpace(line), "", 1, "L", false, 0, "")
	}
	if p.order.VATPercent > 0 && p.from.VATNumber != "" {
		p.CellFormat(width, 5, "VAT number "+p.from.VATNumber, "", 1, "L", false, 0, "")
	}
	p.SetTextColor(0, 0, 0)
	p.Ln(8)
	p.SetFont(font, "B", 14)
	p.CellFormat(width, 8, "Receipt "+p.order.Number(), "", 1, "L", false, 0, "")
	p.SetFont(font, "", 10)
	p.CellFormat(width, 6, "Paid on "+p.order.CompletedAt.Format("2 January 2006"), "", 1, "L", false, 0, "")
	p.Ln(6)
}

func (p *page) lines() {
	p.SetFont(font, "B", 10)
	p.cells("What", "Quantity", "Each", "Amount", "B")
	p.SetFont(font, "", 10)
	for _, line := range p.order.Lines {
		p.cells(named(line, p.order.Cause), strconv.Itoa(int(line.Quantity)), p.money(line.UnitAmount), p.money(line.UnitAmount*int64(line.Quantity)), "")
	}
	if p.order.Ships {
		p.cells("Delivery", "", "", p.money(p.order.Delivery), "")
	}
}

// named is what was bought, in words.
func named(line sales.Line, cause sales.Cause) string {
	name := line.Name
	switch {
	case line.Kind == sales.Membership && cause == sales.PlanChange:
		name += " membership, change of plan"
	case line.Kind == sales.Membership && line.Size == "year":
		name += " membership, one year"
	case line.Kind == sales.Membership:
		name += " membership, one month"
	case line.Size != "":
		name += ", size " + line.Size
	}
	if line.Kind == sales.Membership && cause == sales.Renewal {
		name += ", renewal"
	}
	if line.Credits > 0 && line.Kind == sales.Membership {
		name += fmt.Sprintf(", with %d meditation credits", line.Credits)
	}
	return name
}

// cells is a row whose first cell takes the lines that it needs.
func (p *page) cells(what, quantity, each, amount, border string) {
	for i, part := range p.SplitText(what, 95) {
		if i > 0 {
			quantity, each, amount = "", "", ""
		}
		p.CellFormat(95, row, part, border, 0, "L", false, 0, "")
		p.CellFormat(20, row, quantity, border, 0, "R", false, 0, "")
		p.CellFormat(25, row, each, border, 0, "R", false, 0, "")
		p.CellFormat(30, row, amount, border, 1, "R", false, 0, "")
	}
}

func (p *page) totals() {
	border := "T"
	if p.order.Discount > 0 {
		p.SetFont(font, "", 10)
		p.sum("Discount, by promotion code", -p.order.Discount, border)
		border = ""
	}
	if p.order.FromBalance != 0 {
		p.SetFont(font, "", 10)
		p.sum(fromBalance(p.order), -p.order.FromBalance, border)
		border = ""
	}
	p.SetFont(font, "B", 11)
	p.sum("Total", p.order.Charged(), border)
	p.SetFont(font, "", 10)
	if p.order.VATPercent > 0 {
		p.sum(fmt.Sprintf("VAT at %d%%, included", p.order.VATPercent), p.order.VAT(), "")
	}
	if p.order.Refunded > 0 {
		p.sum("Refunded", -p.order.Refunded, "")
		p.SetFont(font, "B", 11)
		p.sum("Paid after refunds", p.order.Charged()-p.order.Refunded, "T")
		p.SetFont(font, "", 10)
	} else if p.order.State == sales.Returning {
		p.Ln(2)
		p.MultiCell(width, 6, returning(p.order), "", "L", false)
	}
}

// fromBalance is what stands beside what was credited before, or could not be charged then.
func fromBalance(o sales.Order) string {
	if o.FromBalance < 0 {
		return "Left from an earlier payment"
	}
	return "Credited before"
}

// returning is what becomes of an order that could not be given.
func returning(o sales.Order) string {
	if o.Charged() == 0 {
		return "This could not be given. Nothing was charged."
	}
	return "This payment is being returned to you."
}

func (p *page) sum(what string, amount int64, border string) {
	p.CellFormat(140, row, what, border, 0, "R", false, 0, "")
	p.CellFormat(30, row, p.money(amount), border, 1, "R", false, 0, "")
}

func (p *page) address() {
	a := p.order.Address
	if a == nil {
		return
	}
	p.Ln(8)
	p.SetFont(font, "B", 10)
	p.CellFormat(width, 6, "Sent to", "", 1, "L", false, 0, "")
	p.SetFont(font, "", 10)
	for _, line := range append(append([]string{a.Name}, a.Lines()...), a.City, a.PostalCode, country.Name(a.Country)) {
		if line != "" {
			p.MultiCell(width, 5, line, "", "L", false)
		}
	}
}

func (p *page) money(amount int64) string { return money.Words(amount, p.order.Currency) }
