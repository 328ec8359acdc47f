package harness

import (
	"context"
	"slices"

	webv1 "serein.app/proto/gen/serein/web/v1"
)

// AwaitShop waits until things can be bought. A page that was shown before that says that they are not available.
func (h *Harness) AwaitShop(ctx context.Context) error {
	visitor := h.NewBrowser()
	return Eventually(ctx, "the shop opens", func(ctx context.Context) (bool, error) {
		res, err := visitor.Shop.GetApparel(ctx, &webv1.GetApparelRequest{})
		return slices.ContainsFunc(res.GetProducts(), (*webv1.Product).GetPurchasable), err
	})
}
