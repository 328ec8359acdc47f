package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
)

// ListEnvironments answers master and its copies.
func (m *Management) ListEnvironments(ctx context.Context, _ *contentv1.ListEnvironmentsRequest) (*contentv1.ListEnvironmentsResponse, error) {
	all, err := m.store.Environments(ctx)
	res := &contentv1.ListEnvironmentsResponse{}
	for _, e := range all {
		res.Environments = append(res.Environments, toProtoEnvironment(e))
	}
	return res, err
}
