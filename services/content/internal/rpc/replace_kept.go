package rpc

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/keeping"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/auth"
)

// ReplaceKept makes what the member has saved and likes the lists that are named. Taking out is for everything, adding for what the
// member may read or hear.
func (r *Reading) ReplaceKept(ctx context.Context, req *contentv1.ReplaceKeptRequest) (*contentv1.ReplaceKeptResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	all := auth.SubjectFrom(ctx).Admin
	kept, err := r.ports.Kept.Kept(ctx, uid, all)
	if err != nil {
		return nil, err
	}
	saved, err := r.wanted(ctx, uid, kept.Saved, req.GetSaved())
	if err != nil {
		return nil, err
	}
	liked, err := r.wanted(ctx, uid, kept.Liked, req.GetLiked())
	if err != nil || req.GetCheckOnly() {
		return &contentv1.ReplaceKeptResponse{}, err
	}
	return &contentv1.ReplaceKeptResponse{}, r.ports.Kept.ReplaceKept(ctx, uid, all, saved, liked)
}

// wanted are the items of a list, of which those that are not kept yet may be added; nil where there is no list.
func (r *Reading) wanted(ctx context.Context, uid uuid.UUID, kept []keeping.Kept, list *contentv1.ItemList) ([]reading.Item, error) {
	if list == nil {
		return nil, nil
	}
	wanted := make([]reading.Item, len(list.GetItems()))
	for i, ref := range list.GetItems() {
		wanted[i] = reading.Item{Kind: itemKinds[ref.GetKind()], ID: asKept(itemKinds[ref.GetKind()], ref.GetId())}
	}
	named, err := r.meditationsNamed(ctx, kept, list.GetMeditationIds())
	if err != nil {
		return nil, err
	}
	wanted = append(wanted, named...)
	_, added := keeping.Difference(kept, wanted)
	return wanted, r.mayAdd(ctx, uid, added)
}

// meditationsNamed are the meditations that a list names by their ids alone, in that order: those that it has already, else the library's,
// else the member's own.
func (r *Reading) meditationsNamed(ctx context.Context, kept []keeping.Kept, ids []string) ([]reading.Item, error) {
	kinds := map[string]reading.Kind{}
	for _, k := range kept {
		if k.Kind != reading.Article && kinds[k.ID] != reading.Meditation {
			kinds[k.ID] = k.Kind
		}
	}
	unknown := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return kinds[id] != "" || !entry.ValidID(id) })
	cards, err := r.ports.Pages.CardsOf(ctx, reading.Meditation, unknown)
	for _, c := range cards {
		kinds[c.ID] = reading.Meditation
	}
	items := make([]reading.Item, len(ids))
	for i, id := range ids {
		kind := cmp.Or(kinds[id], reading.Bespoke)
		items[i] = reading.Item{Kind: kind, ID: asKept(kind, id)}
	}
	return items, err
}

// asKept is an id as lists have it: a UUID of a member's own meditation may be spelt in other ways.
func asKept(kind reading.Kind, id string) string {
	if own, err := uuid.Parse(id); kind == reading.Bespoke && err == nil {
		return own.String()
	}
	return id
}

// mayAdd refuses where one of the items is none that the member may have.
func (r *Reading) mayAdd(ctx context.Context, uid uuid.UUID, items []reading.Item) error {
	byKind := map[reading.Kind][]string{}
	for _, i := range items {
		byKind[i.Kind] = append(byKind[i.Kind], i.ID)
	}
	for kind, ids := range byKind {
		may := r.mayHave
		if kind == reading.Bespoke {
			may = func(ctx context.Context, _ reading.Kind, ids ...string) error { return r.ownsAll(ctx, uid, ids) }
		}
		if err := may(ctx, kind, ids...); err != nil {
			return err
		}
	}
	return nil
}

// mayHave refuses where one of them the caller does not get, or may not read and hear to its end.
func (r *Reading) mayHave(ctx context.Context, kind reading.Kind, ids ...string) error {
	if slices.ContainsFunc(ids, func(id string) bool { return !entry.ValidID(id) }) {
		return reading.ErrNotFound
	}
	cards, err := r.ports.Pages.CardsOf(ctx, kind, ids)
	if err != nil {
		return err
	}
	found, reader := map[string]reading.Card{}, readerOf(ctx)
	for _, c := range cards {
		found[c.ID] = c
	}
	for _, id := range ids {
		switch c, there := found[id]; {
		case !there || !c.Shown(reader):
			return reading.ErrNotFound
		case !c.Whole(reader):
			return auth.ErrNotEntitled
		}
	}
	return nil
}

// maxAsked is how many meditations of a member's own generation is asked for in one call: what is filed here needs no question.
const maxAsked = 20

// ownsAll refuses where one of the meditations is not the member's own.
func (r *Reading) ownsAll(ctx context.Context, uid uuid.UUID, ids []string) error {
	parsed := make([]uuid.UUID, len(ids))
	for i, id := range ids {
		var err error
		if parsed[i], err = uuid.Parse(id); err != nil {
			return reading.ErrNotFound.Because(err)
		}
	}
	filed, err := r.ports.Filed.BespokeCategories(ctx, uid, ids)
	if err != nil {
		return err
	}
	asked := 0
	for i, id := range ids {
		if _, known := filed[id]; known {
			continue
		}
		if asked++; asked > maxAsked {
			return reading.ErrNotFound
		}
		if err := r.owns(ctx, uid, parsed[i]); err != nil {
			return err
		}
	}
	return nil
}
