// Package rpc answers BasketService: it says whose basket is meant, what is sold now, and converts.
package rpc

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	"serein.app/services/basket/internal/basket"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/rpc"
)

// Policy says who may call what: the gateway, for a member or for a guest, who is no member.
func Policy() auth.Policy {
	anybody := auth.Rule{Services: []string{"gateway"}}
	reads := auth.Rule{Services: []string{"gateway"}, Delegated: true}
	member := auth.Rule{Services: []string{"gateway"}, Member: true}
	return auth.Policy{
		basketv1connect.BasketServiceGetBasketProcedure:     reads,
		basketv1connect.BasketServiceAddItemProcedure:       anybody,
		basketv1connect.BasketServiceSetQuantityProcedure:   anybody,
		basketv1connect.BasketServiceSetSavedProcedure:      anybody,
		basketv1connect.BasketServiceClearProcedure:         anybody,
		basketv1connect.BasketServiceUndoProcedure:          anybody,
		basketv1connect.BasketServiceMergeProcedure:         member,
		basketv1connect.BasketServiceCheckOutProcedure:      member,
		basketv1connect.BasketServiceListPurchasedProcedure: {Services: []string{"gateway"}, Member: true, Delegated: true},
	}
}

// Store is what the handlers need of the database.
type Store interface {
	Basket(ctx context.Context, owner basket.Owner) (basket.Basket, error)
	Change(ctx context.Context, owner basket.Owner, command basket.Command) (basket.Basket, basket.Outcome, error)
	Merge(ctx context.Context, uid, guestID uuid.UUID, at time.Time) (b basket.Basket, merged bool, err error)
	CheckOut(ctx context.Context, uid, orderID uuid.UUID, version int64) error
	Purchased(ctx context.Context, uid uuid.UUID, before basket.Place, most int) ([]basket.Purchased, error)
}

// Shop says what is sold now.
type Shop interface {
	Catalogue(ctx context.Context) (basket.Catalogue, error)
}

// Handler answers BasketService, one RPC in each file.
type Handler struct {
	store Store
	shop  Shop
	now   func() time.Time
	newID func() (uuid.UUID, error)
	// refused counts changes that were refused, by reason.
	refused func(ctx context.Context, err error)
}

// New makes the handler. refused is called for every change that is refused.
func New(store Store, shop Shop, now func() time.Time, newID func() (uuid.UUID, error), refused func(ctx context.Context, err error)) *Handler {
	return &Handler{store, shop, now, newID, refused}
}

// ownerOf is whose basket is meant: the member's whom the call names, or else the guest's.
func ownerOf(ctx context.Context, guestID string) (basket.Owner, error) {
	if auth.Member(ctx) != "" {
		if guestID != "" {
			return basket.Owner{}, rpc.ErrInvalid.On("guest_id").Because(errors.New("a member's call names a guest"))
		}
		uid, err := auth.MemberID(ctx)
		return basket.Owner{ID: uid}, err
	}
	if guestID == "" {
		return basket.Owner{}, auth.ErrUnauthenticated.Because(errors.New("the call names neither member nor guest"))
	}
	id, err := uuid.Parse(guestID)
	if err != nil {
		return basket.Owner{}, rpc.ErrInvalid.On("guest_id").Because(err)
	}
	return basket.Owner{ID: id, Guest: true}, nil
}

// change does what an owner asks for.
func (h *Handler) change(ctx context.Context, guestID string, command basket.Command) (basket.Basket, basket.Outcome, error) {
	owner, err := ownerOf(ctx, guestID)
	if err != nil {
		return basket.Basket{}, 0, err
	}
	b, outcome, err := h.store.Change(ctx, owner, command)
	if err != nil {
		h.refused(ctx, err)
	}
	return b, outcome, err
}

// at is now, as exactly as the database keeps it.
func (h *Handler) at() time.Time { return h.now().UTC().Truncate(time.Microsecond) }

// prices are those of what is sold now, for lines that stay what they are: where nobody can say them, they stay as they were.
func (h *Handler) prices(ctx context.Context) basket.Catalogue {
	sold, err := h.shop.Catalogue(ctx)
	if err != nil {
		return nil
	}
	return sold
}
