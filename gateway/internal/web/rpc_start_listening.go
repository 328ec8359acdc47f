package web

import (
	"context"
	"crypto/sha256"

	"github.com/google/uuid"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// StartListening begins a turn of the caller's device, unless another one plays.
func (s *Screens) StartListening(ctx context.Context, req *webv1.StartListeningRequest) (*webv1.StartListeningResponse, error) {
	res, err := s.Clients.Places.StartListening(ctx, &contentv1.StartListeningRequest{
		Item: itemRef(req.GetItem()), Device: deviceOf(ctx), TakeOver: req.GetTakeOver(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.StartListeningResponse{
		OtherDevice: res.GetOtherDevice(), OtherTitle: res.GetOtherTitle(), Turn: res.GetTurn(), PositionMs: res.GetPositionMs(), LastTurn: res.GetLastTurn(),
	}, nil
}

// deviceOf names the caller's session to services that tell devices apart. The session's id cannot be found by it.
func deviceOf(ctx context.Context) string {
	sum := sha256.Sum256([]byte("serein listening " + sessionID(ctx)))
	return uuid.UUID(sum[:16]).String()
}
