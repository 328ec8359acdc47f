package rpc

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/platform/auth"
)

// ExportPlaces answers all that is kept of the member's listening, the last first.
func (r *Reading) ExportPlaces(ctx context.Context, _ *contentv1.ExportPlacesRequest) (*contentv1.ExportPlacesResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	places, err := r.ports.Places.AllPlaces(ctx, uid, auth.SubjectFrom(ctx).Admin)
	if err != nil {
		return nil, err
	}
	res := &contentv1.ExportPlacesResponse{}
	for _, p := range places {
		res.Places = append(res.Places, &contentv1.ExportedPlace{
			Item: itemRef(p.Item), Title: p.Title, PositionMs: p.Position.Milliseconds(), DurationMs: p.Duration.Milliseconds(),
			Finished: p.Finished, HeardAt: timestamppb.New(p.At),
		})
	}
	return res, nil
}
