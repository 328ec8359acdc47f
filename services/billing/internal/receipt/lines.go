package receipt

import (
	"fmt"
	"strconv"

	"serein.app/services/billing/internal/receipt/typeset"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/itemkind"
)

// The columns of what was bought: their left edges and widths.
const (
	whatWide             = 95.0
	quantityAt, quantity = margin + whatWide, 20.0
	eachAt, eachWide     = quantityAt + quantity, 25.0
	amountAt, amountWide = eachAt + eachWide, 30.0
)

func (p *page) lines() {
	p.style(true, 10)
	p.cells("What", "Quantity", "Each", "Amount")
	p.rule(margin)
	p.style(false, 10)
	for _, line := range p.order.Lines {
		p.cells(named(line, p.order.Cause), strconv.Itoa(int(line.Quantity)), p.money(line.UnitAmount), p.money(line.UnitAmount*int64(line.Quantity)))
	}
	if p.order.Ships {
		p.cells("Delivery", "", "", p.money(p.order.Delivery))
	}
	p.rule(margin)
}

// named is what was bought, in words.
func named(line sales.Line, cause sales.Cause) string {
	name := line.Name
	switch {
	case line.Kind == itemkind.Membership && cause == sales.PlanChange:
		name += " membership, change of plan"
	case line.Kind == itemkind.Membership && line.Size == "year":
		name += " membership, one year"
	case line.Kind == itemkind.Membership:
		name += " membership, one month"
	case line.Size != "":
		name += ", size " + line.Size
	}
	if line.Kind == itemkind.Membership && cause == sales.Renewal {
		name += ", renewal"
	}
	if line.Credits > 0 && line.Kind == itemkind.Membership {
		name += fmt.Sprintf(", with %d meditation credits", line.Credits)
	}
	return name
}

// cells is a row whose first cell takes the lines that it needs. The figures stand beside the first of them, also where nothing of the
// name can be written.
func (p *page) cells(what, quantityOf, each, amount string) {
	for i, line := range append(typeset.Lines(what, whatWide-2, p.measure), typeset.Line{}) {
		if i > 0 && len(line.Runs) == 0 {
			return
		}
		p.room(row)
		p.draw(margin, whatWide-2, row, line, false)
		if i == 0 {
			p.figure(quantityAt, quantity, row, quantityOf)
			p.figure(eachAt, eachWide, row, each)
			p.figure(amountAt, amountWide, row, amount)
		}
		p.SetY(p.GetY() + row)
	}
}

func (p *page) totals() {
	p.style(false, 10)
	if p.order.Discount > 0 {
		p.sum("Discount, by promotion code", -p.order.Discount)
	}
	if p.order.FromBalance != 0 {
		p.sum(fromBalance(p.order), -p.order.FromBalance)
	}
	p.style(true, 11)
	p.sum("Total", p.order.Charged())
	p.style(false, 10)
	if p.order.VATPercent > 0 {
		p.sum(fmt.Sprintf("VAT at %d%%, included", p.order.VATPercent), p.order.VAT())
	}
	if p.order.Refunded > 0 {
		p.sum("Refunded", -p.order.Refunded)
		p.rule(margin)
		p.style(true, 11)
		p.sum("Paid after refunds", p.order.Charged()-p.order.Refunded)
		p.style(false, 10)
	} else if p.order.State == sales.Refunding {
		p.Ln(2)
		p.write(margin, width, 6, returning(p.order))
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
		return "Not delivered. You weren’t charged."
	}
	return "We’re refunding this payment."
}

func (p *page) sum(what string, amount int64) {
	p.room(row)
	p.figure(margin, amountAt-margin, row, what)
	p.figure(amountAt, amountWide, row, p.money(amount))
	p.SetY(p.GetY() + row)
}
