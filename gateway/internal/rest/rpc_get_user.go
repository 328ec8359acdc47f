package rest

import (
	"context"

	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// GetUser answers a member's record, joined from identity, billing, basket and content. A part whose service is away is left out.
func (a *API) GetUser(ctx context.Context, req *restv1.GetUserRequest) (*restv1.GetUserResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	ctx, uid, err := a.subject(ctx, req.GetUid(), "uid")
	if err != nil {
		return nil, err
	}
	record, err := a.record(ctx, uid)
	return &restv1.GetUserResponse{User: record}, err
}
