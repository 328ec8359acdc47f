// Package shop turns published entries into the offers of the shop: plans, packs of credits and products, and the texts around them.
//
// It leaves out an offer that cannot be sold (a price that is no number), reports a fault for it, and sells the rest. It has no SQL
// and no RPC.
package shop

import (
	"regexp"

	"serein.app/services/content/internal/reading"
)

// The content types that the shop is made of.
const (
	tiers       = "membershipTier"
	packs       = "creditPack"
	products    = "product"
	memberships = "membershipPage"
	questions   = "faq"
	apparel     = "apparelPage"
)

// ContentTypes are those that the shop is made of.
func ContentTypes() []string {
	return []string{tiers, packs, products, memberships, questions, apparel}
}

// Shop is everything that is sold, each kind in the order of its editors.
type Shop struct {
	Plans       []Plan
	Packs       []Pack
	Products    []Product
	Memberships Memberships
	Apparel     Apparel
}

// Amount is money in minor units of a currency, an ISO 4217 code in lower case.
type Amount struct {
	Value    int64
	Currency string
}

// Fault is something that is not sold, with why not.
type Fault struct{ ID, Why string }

// Of reads the shop from the entries of its content types. The pictures of products are not in it yet: see PictureIDs and AttachPictures.
func Of(pages map[string][]reading.Page) (s Shop, faults []Fault) {
	r := reader{}
	for _, p := range reading.InOrder(pages[tiers]) {
		if plan, ok := r.plan(p); ok {
			s.Plans = append(s.Plans, plan)
		}
	}
	for _, p := range reading.InOrder(pages[packs]) {
		if pack, ok := r.pack(p); ok {
			s.Packs = append(s.Packs, pack)
		}
	}
	for _, p := range reading.InOrder(pages[products]) {
		if product, ok := r.product(p); ok {
			s.Products = append(s.Products, product)
		}
	}
	s.Memberships = membershipsOf(pages[memberships], reading.InOrder(pages[questions]))
	s.Apparel = apparelOf(pages[apparel])
	return s, r.faults
}

// reader notes what cannot be sold.
type reader struct{ faults []Fault }

func (r *reader) fault(p reading.Page, why string) {
	r.faults = append(r.faults, Fault{p.ID, why})
}

var currency = regexp.MustCompile(`^[a-z]{3}$`)

// amountOf is money; ok is false where it is none that a thing can cost.
func amountOf(value any, code string) (a Amount, ok bool) {
	n, ok := whole(value)
	return Amount{n, code}, ok && n > 0 && currency.MatchString(code)
}

// maxWhole keeps a number exact as JSON has it.
const maxWhole = 1 << 53

// whole is a number without a fraction, from 0.
func whole(value any) (n int64, ok bool) {
	f, ok := value.(float64)
	if !ok || f < 0 || f > maxWhole || f != float64(int64(f)) {
		return 0, false
	}
	return int64(f), true
}
