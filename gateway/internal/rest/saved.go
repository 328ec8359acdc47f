package rest

import (
	"cmp"
	"context"
	"slices"
	"time"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// The specification's words for the contentType of a saved item.
const (
	savedMeditation  = "meditation"
	savedPublication = "publication"
)

// titlesAsked is the number of meditations in one call to generation.
const titlesAsked = 100

// joinKept adds the saved items and the favourites.
func (a *API) joinKept(ctx context.Context, u *restv1.User) error {
	kept, err := a.Clients.Items.ListKept(ctx, &contentv1.ListKeptRequest{})
	if err != nil {
		return err
	}
	u.SavedItems, u.Favourites = a.savedItems(ctx, kept.GetSaved()), &restv1.Favourites{}
	for _, k := range kept.GetLiked() {
		if k.GetItem().GetKind() == contentv1.ItemKind_ITEM_KIND_ARTICLE {
			u.Favourites.Publications = append(u.Favourites.Publications, k.GetItem().GetId())
		} else {
			u.Favourites.Meditations = append(u.Favourites.Meditations, k.GetItem().GetId())
		}
	}
	return nil
}

func (a *API) savedItems(ctx context.Context, kept []*contentv1.KeptItem) *restv1.SavedItems {
	own := a.ownMeditations(ctx, kept)
	saved := &restv1.SavedItems{}
	for _, k := range kept {
		id := k.GetItem().GetId()
		one := &restv1.SavedItem{Uid: id, Id: id, ContentType: savedMeditation, CreatedAt: cmp.Or(k.GetCreatedAt(), own[id].GetCreatedAt())}
		if title := cmp.Or(k.GetTitle(), own[id].GetTitle()); title != "" {
			one.Title = &title
		}
		if k.GetItem().GetKind() == contentv1.ItemKind_ITEM_KIND_ARTICLE {
			one.ContentType = savedPublication
			saved.Publications = append(saved.Publications, one)
		} else {
			saved.Meditations = append(saved.Meditations, one)
		}
	}
	return saved
}

// ownMeditations are the member's own among what is kept, by id: content has neither their titles nor their times. Those that generation
// does not answer soon are missing.
func (a *API) ownMeditations(ctx context.Context, kept []*contentv1.KeptItem) map[string]*generationv1.Meditation {
	var ids []string
	for _, k := range kept {
		if k.GetItem().GetKind() == contentv1.ItemKind_ITEM_KIND_BESPOKE {
			ids = append(ids, k.GetItem().GetId())
		}
	}
	ctx, cancel := context.WithTimeout(ctx, optionalTime)
	defer cancel()
	own := make(map[string]*generationv1.Meditation, len(ids))
	for some := range slices.Chunk(ids, titlesAsked) {
		res, err := a.Clients.Meditations.BatchGetMeditations(ctx, &generationv1.BatchGetMeditationsRequest{Ids: some})
		if err != nil {
			a.without(ctx, "the titles of own meditations", err)
			return own
		}
		for _, m := range res.GetMeditations() {
			own[m.GetId()] = m
		}
	}
	return own
}

// identify gives saved meditations that are sent with their createdAt alone, as the specification identifies them, the id of the saved one
// that was made then. One that is not among them keeps no id, which content refuses.
func (a *API) identify(ctx context.Context, sent *restv1.SavedItems) error {
	unnamed := slices.DeleteFunc(slices.Clone(sent.GetMeditations()), func(s *restv1.SavedItem) bool {
		return s.GetUid() != "" || s.GetId() != "" || s.GetCreatedAt() == nil
	})
	if len(unnamed) == 0 {
		return nil
	}
	kept, err := a.Clients.Items.ListKept(ctx, &contentv1.ListKeptRequest{})
	if err != nil {
		return err
	}
	ids := map[time.Time]string{}
	for _, s := range a.savedItems(ctx, kept.GetSaved()).GetMeditations() {
		if s.GetCreatedAt() != nil {
			ids[s.GetCreatedAt().AsTime()] = s.GetUid()
		}
	}
	for _, s := range unnamed {
		s.Uid = ids[s.GetCreatedAt().AsTime()]
	}
	return nil
}
