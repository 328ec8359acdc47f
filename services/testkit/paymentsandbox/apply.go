package paymentsandbox

import "strings"

// codeError is why a promotion code is not taken, in a sentence for who typed it. It is ErrCode.
type codeError string

func (e codeError) Error() string { return string(e) }
func (codeError) Unwrap() error   { return ErrCode }

const (
	errCodeUnknown codeError = "We do not know this code. Please check how it is spelt."
	errCodeOff     codeError = "This code is no longer in use."
	errCodeOver    codeError = "This code has expired."
	errCodeUsedUp  codeError = "This code has been used as often as it can be."
	errCodeFirst   codeError = "This code is for a first order only."
	errCodeNowhere codeError = "This checkout takes no codes."
	errCodeTooMuch codeError = "This code leaves less to pay than a card can be charged. Please pay without it, or add something to your order."
)

// Apply puts a promotion code on an open checkout, as somebody on its page does; another code before it goes. A code that is not
// taken is ErrCode, and changes nothing. It is redeemed when the checkout completes, and looked at once more then.
func (s *Sandbox) Apply(sessionID, code string) error {
	return s.locked(func() error {
		found, ok := s.state.Sessions.get(sessionID)
		if !ok || found.Status != open {
			return ErrNotOpen
		}
		if found.AllowCodes == nil || !*found.AllowCodes {
			return errCodeNowhere
		}
		typed, err := s.typedCode(found, code)
		if err != nil {
			return err
		}
		found.discounted(typed.ID, typed.Coupon)
		return nil
	})
}

// unapply takes a promotion code off an open checkout.
func (s *Sandbox) unapply(sessionID string) {
	_ = s.locked(func() error {
		if found, ok := s.state.Sessions.get(sessionID); ok && found.Status == open {
			found.discounted("", "")
		}
		return nil
	})
}

// discounted changes what is to be paid: a bank that was asked about another sum is not asked any more.
func (s *session) discounted(codeID, couponID string) {
	s.Code, s.Coupon, s.Waiting = codeID, couponID, nil
}

// typedCode finds the code that a checkout takes. Older ones can have the same letters: of those that are not taken the newest
// says why.
func (s *Sandbox) typedCode(of *session, letters string) (found *promotionCode, refusal error) {
	refusal = errCodeUnknown
	for _, p := range s.state.PromotionCodes.Items {
		if !strings.EqualFold(p.Code, letters) {
			continue
		}
		if refusal = s.notTaken(of, p); refusal == nil {
			return p, nil
		}
	}
	return nil, refusal
}

// notTaken is why a checkout does not take a code; nil where it does.
func (s *Sandbox) notTaken(of *session, p *promotionCode) error {
	c, _ := s.state.Coupons.get(p.Coupon)
	switch now := s.now(); {
	case !p.Active:
		return errCodeOff
	case p.over(now) || c.over(now):
		return errCodeOver
	case p.usedUp() || c.usedUp():
		return errCodeUsedUp
	case c.Currency != "" && c.Currency != of.Currency:
		return codeError("This code is for payments in " + strings.ToUpper(c.Currency) + " only.")
	case p.First && s.hasPaid(of.Customer):
		return errCodeFirst
	case of.Mode == modePayment && tooSmall(s.goods(of.Lines)-c.off(s.goods(of.Lines))+of.delivery(), of.Currency):
		return errCodeTooMuch // what is left of a membership waits for its next invoice
	}
	return nil
}

// hasPaid says whether a customer has bought anything before.
func (s *Sandbox) hasPaid(customerID string) bool {
	if customerID == "" {
		return false
	}
	for _, p := range s.state.Payments.Items {
		if p.Customer == customerID && p.Status == succeeded {
			return true
		}
	}
	for _, i := range s.state.Invoices.Items {
		if i.Customer == customerID && i.PaidAt != 0 {
			return true
		}
	}
	return false
}

// stillTaken looks at a checkout's code before it is redeemed. One that is not taken any more goes, and with it the discount.
func (s *Sandbox) stillTaken(found *session) error {
	p, ok := s.state.PromotionCodes.get(found.Code)
	if !ok {
		return nil
	}
	err := s.notTaken(found, p)
	if err != nil {
		found.discounted("", "")
	}
	return err
}

// redeem counts a checkout's code.
func (s *Sandbox) redeem(found *session) {
	if p, ok := s.state.PromotionCodes.get(found.Code); ok {
		c, _ := s.state.Coupons.get(p.Coupon)
		p.Times++
		c.Times++
	}
}
