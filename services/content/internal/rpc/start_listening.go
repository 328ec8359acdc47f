package rpc

import (
	"context"

	"github.com/google/uuid"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/listening"
)

// StartListening begins a turn of a device in what its member may hear, unless another device plays.
func (r *Reading) StartListening(ctx context.Context, req *contentv1.StartListeningRequest) (*contentv1.StartListeningResponse, error) {
	uid, item, err := r.chosen(ctx, req.GetItem(), true)
	if err != nil {
		return nil, err
	}
	device, err := uuid.Parse(req.GetDevice())
	if err != nil {
		return nil, err
	}
	begun, err := r.ports.Places.StartListening(ctx, uid, listening.Start{Item: item, Device: device, TakeOver: req.GetTakeOver()})
	if err != nil {
		return nil, err
	}
	return &contentv1.StartListeningResponse{
		OtherDevice: begun.Elsewhere, OtherTitle: begun.Title, Turn: begun.Turn,
		PositionMs: begun.Last.Position.Milliseconds(), LastTurn: begun.Last.Turn,
	}, nil
}
