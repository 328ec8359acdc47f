package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
)

// DeleteEnvironment removes a copy of master for good.
func (m *Management) DeleteEnvironment(ctx context.Context, req *contentv1.DeleteEnvironmentRequest) (*contentv1.DeleteEnvironmentResponse, error) {
	if err := m.store.DeleteEnvironment(ctx, editor(ctx), req.GetId()); err != nil {
		return nil, err
	}
	return &contentv1.DeleteEnvironmentResponse{}, nil
}
