package paymentsandbox

// index finds what the shelves keep in another order. It is made from them, and is not kept.
type index struct {
	bills   map[string][]*invoice // by subscription
	charges map[string]*payment   // by their latest charge
}

func newIndex(of *state) index {
	x := index{bills: map[string][]*invoice{}, charges: map[string]*payment{}}
	for _, i := range of.Invoices.Items {
		x.bills[i.Subscription] = append(x.bills[i.Subscription], i)
	}
	for _, p := range of.Payments.Items {
		x.charged(p)
	}
	return x
}

func (x *index) charged(p *payment) {
	if p.Charge != "" {
		x.charges[p.Charge] = p
	}
}
