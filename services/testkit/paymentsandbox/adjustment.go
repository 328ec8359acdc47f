package paymentsandbox

// adjustment is what the API has added to a customer's balance. What invoices did to it stands with them alone.
type adjustment struct {
	ID       string            `json:"id"`
	Customer string            `json:"customer"`
	Amount   int64             `json:"amount"` // below 0 it is credited
	Ending   int64             `json:"ending"` // the balance after it
	Currency string            `json:"currency"`
	Said     string            `json:"said"`
	Metadata map[string]string `json:"metadata"`
	Created  int64             `json:"created"`
}

func (a *adjustment) id() string  { return a.ID }
func (a *adjustment) made() int64 { return a.Created }

func (a *adjustment) show() object {
	return object{
		"id": a.ID, "object": "customer_balance_transaction", "amount": a.Amount, "created": a.Created, "credit_note": nil, "currency": a.Currency,
		"customer": a.Customer, "description": orNull(a.Said), "ending_balance": a.Ending, "invoice": nil, "livemode": false, "metadata": a.Metadata,
		"type": "adjustment", "checkout_session": nil,
	}
}

func (s *Sandbox) adjustBalance(c *call) (object, error) {
	c.must("amount")
	made := &adjustment{
		ID: newID("cbtxn"), Customer: c.path, Amount: c.whole("amount", 0, -farthestAmount), Currency: c.must("currency"), Said: c.text("description"),
		Metadata: c.pairs("metadata"), Created: s.now().Unix(),
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	payer, ok := s.payer(c.path)
	if !ok {
		return nil, missing("customer", c.path)
	}
	payer.Balance += made.Amount
	made.Ending = payer.Balance
	s.state.Adjustments.add(made)
	s.tell("customer.updated", payer.show())
	return made.show(), nil
}

// farthestAmount is the largest that the API takes.
const farthestAmount = 99_999_999

func (s *Sandbox) listAdjustments(c *call) (object, error) {
	l := c.listing()
	if err := c.finish(); err != nil {
		return nil, err
	}
	if _, ok := s.payer(c.path); !ok {
		return nil, missing("customer", c.path)
	}
	return page(l, "/v1/customers/"+c.path+"/balance_transactions", s.state.Adjustments.Items, func(a *adjustment) bool {
		return a.Customer == c.path
	}, (*adjustment).show)
}
