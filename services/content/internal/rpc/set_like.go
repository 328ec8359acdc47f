package rpc

import (
	"context"

	"github.com/google/uuid"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

// SetLike adds what the member may read or hear to their likes. Taking out is for everything.
func (r *Reading) SetLike(ctx context.Context, req *contentv1.SetLikeRequest) (*contentv1.SetLikeResponse, error) {
	uid, item, err := r.chosen(ctx, req.GetItem(), req.GetLiked())
	if err != nil {
		return nil, err
	}
	standing, err := r.ports.Kept.SetLike(ctx, uid, item, req.GetLiked())
	if err != nil {
		return nil, err
	}
	return &contentv1.SetLikeResponse{Standing: toProtoStanding(standing)}, nil
}

// chosen is who asks and the item that they mean, which they may read or hear where it is to be added.
func (r *Reading) chosen(ctx context.Context, ref *contentv1.ItemRef, added bool) (uid uuid.UUID, item reading.Item, err error) {
	if uid, err = auth.MemberID(ctx); err != nil {
		return uid, item, err
	}
	item = reading.Item{Kind: itemKinds[ref.GetKind()], ID: ref.GetId()}
	if item.Kind == reading.Bespoke {
		id, err := uuid.Parse(item.ID)
		if err != nil {
			return uid, item, reading.ErrNotFound.Because(err)
		}
		item.ID = id.String()
		if added {
			err = r.owns(ctx, uid, id)
		}
		return uid, item, err
	}
	if !entry.ValidID(item.ID) {
		return uid, item, reading.ErrNotFound
	}
	if added {
		err = r.mayHave(ctx, item.Kind, item.ID)
	}
	return uid, item, err
}

// owns refuses a meditation that is not the member's own.
func (r *Reading) owns(ctx context.Context, uid, id uuid.UUID) error {
	theirs, err := r.ports.Own.Owns(ctx, uid, id)
	if err == nil && !theirs {
		err = reading.ErrNotFound
	}
	return err
}

var itemKinds = map[contentv1.ItemKind]reading.Kind{
	contentv1.ItemKind_ITEM_KIND_ARTICLE: reading.Article, contentv1.ItemKind_ITEM_KIND_MEDITATION: reading.Meditation,
	contentv1.ItemKind_ITEM_KIND_BESPOKE: reading.Bespoke,
}

func toProtoStanding(s reading.UserItemState) *contentv1.Standing {
	return &contentv1.Standing{Likes: int32(s.Likes), Liked: s.Liked, Saved: s.Saved}
}
