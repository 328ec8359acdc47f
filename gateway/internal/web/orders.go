package web

import (
	"context"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/country"
)

// orderStates are the same in both contracts by intent; written out so that neither can drift.
var orderStates = map[billingv1.OrderState]webv1.OrderState{
	billingv1.OrderState_ORDER_STATE_OPEN:       webv1.OrderState_ORDER_STATE_OPEN,
	billingv1.OrderState_ORDER_STATE_PROCESSING: webv1.OrderState_ORDER_STATE_PROCESSING,
	billingv1.OrderState_ORDER_STATE_COMPLETED:  webv1.OrderState_ORDER_STATE_COMPLETED,
	billingv1.OrderState_ORDER_STATE_CLOSED:     webv1.OrderState_ORDER_STATE_CLOSED,
	billingv1.OrderState_ORDER_STATE_RETURNING:  webv1.OrderState_ORDER_STATE_RETURNING,
}

var orderItemKinds = map[billingv1.ItemKind]webv1.OrderItemKind{
	billingv1.ItemKind_ITEM_KIND_MEMBERSHIP:  webv1.OrderItemKind_ORDER_ITEM_KIND_MEMBERSHIP,
	billingv1.ItemKind_ITEM_KIND_CREDIT_PACK: webv1.OrderItemKind_ORDER_ITEM_KIND_CREDIT_PACK,
	billingv1.ItemKind_ITEM_KIND_PRODUCT:     webv1.OrderItemKind_ORDER_ITEM_KIND_PRODUCT,
}

// orders are put into the screens' terms, with the pictures of what content shows.
func (s *Screens) orders(ctx context.Context, all ...*billingv1.Order) []*webv1.Order {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	shown, err := s.shop.content.Get(ctx) // its failures are logged where they are found
	if err != nil {
		shown = &contentCatalogue{}
	}
	return each(all, shown.order)
}

func (s *contentCatalogue) order(o *billingv1.Order) *webv1.Order {
	currency := o.GetCurrency()
	return &webv1.Order{
		Id: o.GetId(), Number: o.GetNumber(), State: orderStates[o.GetState()], CreatedAt: o.GetCreatedAt(), CompletedAt: o.GetCompletedAt(),
		Items: each(o.GetItems(), func(i *billingv1.OrderedItem) *webv1.OrderItem { return s.orderItem(i, currency) }),
		Total: money(o.GetTotal(), currency), Vat: someMoney(o.GetVat(), currency), VatPercent: o.GetVatPercent(),
		Delivery: someMoney(o.GetDelivery(), currency), Refunded: someMoney(o.GetRefunded(), currency), Disputed: someMoney(o.GetDisputed(), currency), Address: addressLines(o.GetAddress()),
		Discount: someMoney(o.GetDiscount(), currency), Cause: o.GetCause(), Ships: o.GetShips(), SentAt: o.GetSentAt(),
		Credited: someMoney(max(o.GetFromBalance(), 0), currency), Carried: someMoney(max(-o.GetFromBalance(), 0), currency),
	}
}

func (s *contentCatalogue) orderItem(i *billingv1.OrderedItem, currency string) *webv1.OrderItem {
	return &webv1.OrderItem{
		Name: i.GetName(), Size: i.GetSize(), Quantity: i.GetQuantity(), Price: money(i.GetUnitAmount(), currency),
		Credits: i.GetCredits(), Kind: orderItemKinds[i.GetKind()], Picture: productPicture(s.products[i.GetProductId()]),
	}
}

// addressLines are an address as it stands on a parcel, without what is left empty.
func addressLines(a *billingv1.DeliveryAddress) []string {
	var out []string
	all := append([]string{a.GetName()}, a.GetLines()...)
	for _, line := range append(all, a.GetCity(), a.GetPostalCode(), country.Name(a.GetCountry())) {
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}
