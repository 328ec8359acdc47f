package web

import (
	"context"

	"connectrpc.com/connect"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/guard"
)

// DeleteAccount asks for the member's account to be deleted, and ends this session; the others end as identity tells of it. Errors:
// NOT_AUTHORIZED for the field password, TOO_MANY_REQUESTS.
func (s *Screens) DeleteAccount(ctx context.Context, req *webv1.DeleteAccountRequest) (*webv1.DeleteAccountResponse, error) {
	sid, err := s.sid(ctx)
	if err != nil {
		return nil, err
	}
	res, err := s.Clients.Deletions.ScheduleDeletion(ctx, &identityv1.ScheduleDeletionRequest{
		Password: req.GetPassword(), Address: guard.Address(ctx), Sid: sid,
	})
	if err != nil {
		return nil, err
	}
	if err := s.Sessions.End(ctx, sessionID(ctx)); err != nil {
		return nil, err
	}
	if call, ok := connect.CallInfoForHandlerContext(ctx); ok {
		forget(call.ResponseHeader())
	}
	return &webv1.DeleteAccountResponse{DeletesAt: res.GetDeletesAt()}, nil
}
