package rpc

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/keeping"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

// ListKept answers what the member has saved and likes, the last first.
func (r *Reading) ListKept(ctx context.Context, _ *contentv1.ListKeptRequest) (*contentv1.ListKeptResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := r.ports.Kept.Kept(ctx, uid, auth.SubjectFrom(ctx).Admin)
	if err != nil {
		return nil, err
	}
	return &contentv1.ListKeptResponse{Saved: toProtoKept(kept.Saved), Liked: toProtoKept(kept.Liked)}, nil
}

func toProtoKept(kept []keeping.Kept) []*contentv1.KeptItem {
	items := make([]*contentv1.KeptItem, len(kept))
	for i, k := range kept {
		items[i] = &contentv1.KeptItem{Item: itemRef(k.Item), Title: k.Title, At: timestamppb.New(k.At)}
		if !k.CreatedAt.IsZero() {
			items[i].CreatedAt = timestamppb.New(k.CreatedAt)
		}
	}
	return items
}

var protoKinds = func() map[reading.Kind]contentv1.ItemKind {
	kinds := map[reading.Kind]contentv1.ItemKind{}
	for proto, kind := range itemKinds {
		kinds[kind] = proto
	}
	return kinds
}()
