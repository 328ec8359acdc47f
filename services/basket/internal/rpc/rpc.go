// Package rpc answers BasketService: it says whose basket is meant and converts.
package rpc

import (
	"context"

	"github.com/google/uuid"

	"serein.app/proto/gen/serein/basket/v1/basketv1connect"
	"serein.app/services/basket/internal/basket"
	"serein.app/services/platform/auth"
)

// Policy says who may call what: the gateway, for a member.
func Policy() auth.Policy {
	return auth.Policy{
		basketv1connect.BasketServiceGetBasketProcedure: {Services: []string{"gateway"}, Member: true, Delegated: true},
	}
}

// Store is what the handlers need of the database.
type Store interface {
	Basket(ctx context.Context, uid uuid.UUID) (basket.Basket, error)
}

// Handler answers BasketService, one RPC in each file.
type Handler struct{ store Store }

// New makes the handler.
func New(store Store) *Handler { return &Handler{store} }
