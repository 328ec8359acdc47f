package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/pagetoken"
)

// ListMade pages through what was made and is not done with, the newest first.
func (s *Studio) ListMade(ctx context.Context, req *contentv1.ListMadeRequest) (*contentv1.ListMadeResponse, error) {
	after, err := pagetoken.Decode(req.GetPageToken(), store.Newest)
	if err != nil {
		return nil, err
	}
	size := pageSize(req.GetPageSize())
	made, locale, err := s.studio.List(ctx, after, size+1)
	if err != nil {
		return nil, err
	}
	unverified, err := s.studio.Unverified(ctx)
	if err != nil {
		return nil, err
	}
	res := &contentv1.ListMadeResponse{Unverified: int32(unverified)}
	if len(made) > size {
		made = made[:size]
		res.NextPageToken = pagetoken.Encode(store.Cursor{At: pagetoken.Time{Time: made[size-1].MadeAt}, ID: made[size-1].ID})
	}
	res.Made, err = s.allMade(ctx, locale, made...)
	return res, err
}
