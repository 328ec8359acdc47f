package rpc

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	billingv1 "serein.app/proto/gen/serein/billing/v1"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/itemkind"
)

var protoItemKinds = map[itemkind.Kind]billingv1.ItemKind{
	itemkind.Membership: billingv1.ItemKind_ITEM_KIND_MEMBERSHIP,
	itemkind.CreditPack: billingv1.ItemKind_ITEM_KIND_CREDIT_PACK,
	itemkind.Product:    billingv1.ItemKind_ITEM_KIND_PRODUCT,
}

var protoStates = map[sales.OrderState]billingv1.OrderState{
	sales.Open: billingv1.OrderState_ORDER_STATE_OPEN, sales.Processing: billingv1.OrderState_ORDER_STATE_PROCESSING,
	sales.Completed: billingv1.OrderState_ORDER_STATE_COMPLETED, sales.Closed: billingv1.OrderState_ORDER_STATE_CLOSED,
	sales.Refunding: billingv1.OrderState_ORDER_STATE_RETURNING,
}

func toProtoItem(i sales.Item) *billingv1.ItemPrice {
	return &billingv1.ItemPrice{
		Id: i.PriceID, ProductId: i.ProductID, Size: i.Size, Name: i.Name, Kind: protoItemKinds[i.Kind],
		Amount: i.Amount, Currency: i.Currency, Credits: i.Credits, Purchasable: i.Purchasable(),
	}
}

func toProtoOrder(o sales.Order) *billingv1.Order {
	p := &billingv1.Order{
		Id: o.ID.String(), Number: o.Number(), State: protoStates[o.State], CreatedAt: timestamppb.New(o.CreatedAt),
		Total: o.Charged(), Vat: o.VAT(), VatPercent: o.VATPercent, Delivery: o.Delivery, Discount: o.Discount, FromBalance: o.FromBalance,
		Refunded: o.Refunded, Disputed: o.Disputed, Ships: o.Ships, Currency: o.Currency,
		Address: toProtoAddress(o.Address), Cause: string(o.Cause),
	}
	if !o.CompletedAt.IsZero() {
		p.CompletedAt = timestamppb.New(o.CompletedAt)
	}
	if !o.SentAt.IsZero() {
		p.SentAt = timestamppb.New(o.SentAt)
	}
	for _, line := range o.Lines {
		p.Items = append(p.Items, &billingv1.OrderedItem{
			ProductId: line.ProductID, Name: line.Name, Size: line.Size, Quantity: line.Quantity,
			UnitAmount: line.UnitAmount, Kind: protoItemKinds[line.Kind], Credits: line.Credits,
		})
	}
	return p
}

func toProtoAddress(a *sales.Address) *billingv1.DeliveryAddress {
	if a == nil {
		return nil
	}
	return &billingv1.DeliveryAddress{Name: a.Name, Lines: a.Lines(), City: a.City, PostalCode: a.PostalCode, Country: a.Country}
}
