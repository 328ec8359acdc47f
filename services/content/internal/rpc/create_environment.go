package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
)

// CreateEnvironment copies master. One that is there already stays as it is.
func (m *Management) CreateEnvironment(ctx context.Context, req *contentv1.CreateEnvironmentRequest) (*contentv1.CreateEnvironmentResponse, error) {
	made, err := m.store.CreateEnvironment(ctx, editor(ctx), req.GetId())
	if err != nil {
		return nil, err
	}
	return &contentv1.CreateEnvironmentResponse{Environment: toProtoEnvironment(made)}, nil
}
