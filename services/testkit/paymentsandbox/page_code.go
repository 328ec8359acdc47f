package paymentsandbox

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// codeView is what a page shows of a checkout's promotion code.
type codeView struct {
	// Allowed says that one can be typed in.
	Allowed bool
	// Code is the one that is applied; empty for none.
	Code     string
	Discount int64
	// Then is what a membership costs after the discount; empty where that is the same.
	Then string
}

func (s *Sandbox) viewOfCode(found *session, every string) codeView {
	v := codeView{Allowed: found.AllowCodes != nil && *found.AllowCodes}
	p, ok := s.state.PromotionCodes.get(found.Code)
	if !ok {
		return v
	}
	v.Code, v.Discount = p.Code, s.off(found.Coupon, found.Lines)
	c, _ := s.state.Coupons.get(p.Coupon)
	if every == "" || c.Duration == forever {
		return v
	}
	v.Then = fmt.Sprintf("Then %s each %s.", money(s.goods(found.Lines), found.Currency), every)
	if c.Duration == repeating && c.Months > 1 {
		v.Then = fmt.Sprintf("The code holds for %d months. ", c.Months) + v.Then
	}
	return v
}

// changeCode puts a promotion code on a checkout, or takes it off.
func (s *Sandbox) changeCode(w http.ResponseWriter, r *http.Request) {
	v, ok := s.openSession(w, r)
	if !ok {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	id := r.PathValue("id")
	if r.PostFormValue("remove") != "" {
		s.unapply(id)
	} else if err := s.Apply(id, strings.TrimSpace(r.PostFormValue("code"))); errors.Is(err, ErrCode) {
		s.again(w, v, r.PostForm, "code", err.Error())
		return
	}
	http.Redirect(w, r, "/c/pay/"+id, http.StatusSeeOther) //nolint:gosec // a checkout that is there
}
