package gateway

import (
	"context"
	"fmt"
	"hash/crc32"
	"net/http"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	basketv1 "serein.app/proto/gen/serein/basket/v1"
	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

// basketFake keeps baskets by their owner: a member's uid, or a guest's id. Of the rules of what lies beside what it knows none.
type basketFake struct{ *services }

func basketPolicy() auth.Policy {
	policy := auth.Policy{}
	for _, m := range methods(filesOf("serein.basket.v1")...) {
		policy[m.procedure] = auth.Rule{Services: []string{"gateway"}}
	}
	policy[basketv1connect.BasketServiceGetBasketProcedure] = auth.Rule{Services: []string{"gateway"}, Delegated: true}
	return forMembers(policy,
		basketv1connect.BasketServiceMergeProcedure, basketv1connect.BasketServiceCheckOutProcedure, basketv1connect.BasketServiceListPurchasedProcedure,
	)
}

func (f basketFake) mount(mux *http.ServeMux, r *rpc.Server) {
	mux.Handle(basketv1connect.NewBasketServiceHandler(f, r.Options()...))
}

var (
	errNoLine     = errs.New(errs.NotFound, errorsv1.Reason_REASON_LINE_NOT_FOUND, "There is no such line.")
	errNobodys    = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT, "Whose basket?")
	errNothing    = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_NOTHING_TO_UNDO, "There is nothing to undo.")
	errNotForSale = errs.New(errs.Invalid, errorsv1.Reason_REASON_ITEM_NOT_SOLD, "It is not sold.")
)

// owner of the basket that a call is about: a member, or else a guest, and never both.
func (f basketFake) owner(ctx context.Context, guestID string) (string, error) {
	if err := f.fault(ctx); err != nil {
		return "", err
	}
	if uid := auth.Member(ctx); (uid == "") != (guestID == "") {
		return uid + guestID, nil
	}
	return "", errNobodys
}

// line is one of a basket.
func line(product, size string, quantity int32) *basketv1.BasketLine {
	return &basketv1.BasketLine{
		Id: fmt.Sprintf("0192f0c1-0000-7000-8000-%012x", crc32.ChecksumIEEE([]byte(product+" "+size))), ProductId: product, Size: size, Quantity: quantity,
		AddedAt: timestamppb.New(createdAt),
	}
}

// saved is a line for later.
func saved(l *basketv1.BasketLine) *basketv1.BasketLine {
	l.SavedAt = timestamppb.New(createdAt)
	return l
}

// fill gives somebody a basket of version 7.
func (s *services) fill(owner string, lines ...*basketv1.BasketLine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.baskets[owner] = &basketv1.Basket{Id: "b-1", Version: 7, Lines: lines}
}

// basketOf is somebody's basket; nil where they have none.
func (s *services) basketOf(owner string) *basketv1.Basket {
	s.mu.Lock()
	defer s.mu.Unlock()
	return proto.CloneOf(s.baskets[owner])
}

// change changes the basket of a call, at a version; below 0: at any.
func (f basketFake) change(ctx context.Context, guestID string, version int64, with func(*basketv1.Basket) error) (*basketv1.Basket, error) {
	owner, err := f.owner(ctx, guestID)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	next := &basketv1.Basket{Id: "b-1"}
	if has := f.baskets[owner]; has != nil {
		next = proto.CloneOf(has)
	}
	if version >= 0 && version != next.GetVersion() {
		return nil, errVersion
	}
	if err := with(next); err != nil {
		return nil, err
	}
	next.Version, next.CanUndo = next.GetVersion()+1, true
	f.baskets[owner] = next
	return next, nil
}

func (f basketFake) GetBasket(ctx context.Context, req *basketv1.GetBasketRequest) (*basketv1.GetBasketResponse, error) {
	owner, err := f.owner(ctx, req.GetGuestId())
	return &basketv1.GetBasketResponse{Basket: f.basketOf(owner)}, err
}

func (f basketFake) AddItem(ctx context.Context, req *basketv1.AddItemRequest) (*basketv1.AddItemResponse, error) {
	if req.GetProductId() == "nowhere" {
		return nil, errNotForSale
	}
	out := &basketv1.AddItemResponse{Outcome: basketv1.Outcome_OUTCOME_ADDED}
	var err error
	out.Basket, err = f.change(ctx, req.GetGuestId(), -1, func(b *basketv1.Basket) error {
		if f.added[req.GetRequestId()] {
			return nil
		}
		f.added[req.GetRequestId()] = true
		if req.GetReplace() {
			b.Lines = nil
		}
		i := slices.IndexFunc(b.GetLines(), func(l *basketv1.BasketLine) bool {
			return l.GetProductId() == req.GetProductId() && l.GetSize() == req.GetSize()
		})
		if i >= 0 {
			b.Lines[i].Quantity++
			return nil
		}
		b.Lines = append(b.Lines, line(req.GetProductId(), req.GetSize(), 1))
		return nil
	})
	return out, err
}

func (f basketFake) find(b *basketv1.Basket, id string) (int, error) {
	i := slices.IndexFunc(b.GetLines(), func(l *basketv1.BasketLine) bool { return l.GetId() == id })
	if i < 0 {
		return 0, errNoLine
	}
	return i, nil
}

func (f basketFake) SetQuantity(ctx context.Context, req *basketv1.SetQuantityRequest) (*basketv1.SetQuantityResponse, error) {
	changed, err := f.change(ctx, req.GetGuestId(), req.GetVersion(), func(b *basketv1.Basket) error {
		i, err := f.find(b, req.GetLineId())
		if err == nil && req.GetQuantity() > 0 {
			b.Lines[i].Quantity = req.GetQuantity()
		} else if err == nil {
			b.Lines = slices.Delete(b.GetLines(), i, i+1)
		}
		return err
	})
	return &basketv1.SetQuantityResponse{Basket: changed}, err
}

func (f basketFake) SetSaved(ctx context.Context, req *basketv1.SetSavedRequest) (*basketv1.SetSavedResponse, error) {
	changed, err := f.change(ctx, req.GetGuestId(), req.GetVersion(), func(b *basketv1.Basket) error {
		i, err := f.find(b, req.GetLineId())
		if err != nil {
			return err
		}
		if b.Lines[i].SavedAt = nil; req.GetSaved() {
			saved(b.GetLines()[i])
		}
		return nil
	})
	return &basketv1.SetSavedResponse{Basket: changed, Outcome: basketv1.Outcome_OUTCOME_OTHERS_SAVED}, err
}

func (f basketFake) Clear(ctx context.Context, req *basketv1.ClearRequest) (*basketv1.ClearResponse, error) {
	changed, err := f.change(ctx, req.GetGuestId(), req.GetVersion(), func(b *basketv1.Basket) error {
		b.Lines = slices.DeleteFunc(b.GetLines(), func(l *basketv1.BasketLine) bool { return l.GetSavedAt() == nil })
		return nil
	})
	return &basketv1.ClearResponse{Basket: changed}, err
}

func (f basketFake) Undo(ctx context.Context, req *basketv1.UndoRequest) (*basketv1.UndoResponse, error) {
	changed, err := f.change(ctx, req.GetGuestId(), req.GetVersion(), func(b *basketv1.Basket) error {
		if !b.GetCanUndo() {
			return errNothing
		}
		b.Lines = nil
		return nil
	})
	return &basketv1.UndoResponse{Basket: changed}, err
}

func (f basketFake) Merge(ctx context.Context, req *basketv1.MergeRequest) (*basketv1.MergeResponse, error) {
	f.mu.Lock()
	guests := f.baskets[req.GetGuestId()]
	delete(f.baskets, req.GetGuestId())
	f.mu.Unlock()
	if guests == nil {
		owner, err := f.owner(ctx, "")
		return &basketv1.MergeResponse{Basket: f.basketOf(owner)}, err
	}
	changed, err := f.change(ctx, "", -1, func(b *basketv1.Basket) error {
		f.merges++
		b.Lines = append(b.GetLines(), guests.GetLines()...)
		return nil
	})
	return &basketv1.MergeResponse{Basket: changed, Merged: true}, err
}

func (f basketFake) CheckOut(ctx context.Context, req *basketv1.CheckOutRequest) (*basketv1.CheckOutResponse, error) {
	owner, err := f.owner(ctx, "")
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.baskets[owner].GetVersion() != req.GetVersion() {
		return nil, errVersion
	}
	f.checked = append(f.checked, req)
	return &basketv1.CheckOutResponse{}, nil
}

func (f basketFake) ListPurchased(ctx context.Context, _ *basketv1.ListPurchasedRequest) (*basketv1.ListPurchasedResponse, error) {
	err := f.fault(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	return &basketv1.ListPurchasedResponse{Items: f.bought}, err
}
