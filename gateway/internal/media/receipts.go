package media

import (
	"context"
	"mime"
	"net/http"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	identityv1 "serein.app/proto/gen/serein/identity/v1"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/guard"
)

// Receipt answers GET /media/receipts/{id}: the receipt of an order of the member's, as PDF. It is for their session alone, for
// no scope of an access token names it. Another member's order is as one that does not exist.
func (m *Media) Receipt(w http.ResponseWriter, r *http.Request) {
	ctx, id, ok := m.asked(w, r)
	if !ok {
		return
	}
	res, err := m.receipt(ctx, id)
	switch {
	case errs.KindOf(err) == errs.NotFound:
		guard.Refuse(w, r, errNotFound)
	case err != nil:
		m.fail(w, r, err)
	default:
		sendReceipt(w, res)
	}
}

// receipt asks billing for one that names the member as identity knows them. A member whom identity does not know, who is of another
// provider, is not named.
func (m *Media) receipt(ctx context.Context, id string) (*billingv1.GetReceiptResponse, error) {
	known, err := m.clients.Users.GetUser(ctx, &identityv1.GetUserRequest{})
	if err != nil && errs.KindOf(err) != errs.NotFound {
		return nil, err
	}
	buyer := known.GetUser()
	return m.clients.Orders.GetReceipt(ctx, &billingv1.GetReceiptRequest{
		OrderId: id, Email: buyer.GetEmail(), GivenName: buyer.GetGivenName(), FamilyName: buyer.GetFamilyName(),
	})
}

// sendReceipt sends what nobody else may see, and nobody keeps on the way.
func sendReceipt(w http.ResponseWriter, res *billingv1.GetReceiptResponse) {
	h := w.Header()
	h.Set("Content-Type", "application/pdf")
	h.Set("Cache-Control", "private, no-store")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": "serein-receipt-" + res.GetNumber() + ".pdf"}))
	_, _ = w.Write(res.GetPdf()) //nolint:gosec // a PDF, sent as one; fails only where the browser has gone
}
