package web

import (
	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

func category(c *contentv1.Category) *webv1.Category {
	if c == nil {
		return nil
	}
	return &webv1.Category{Id: c.GetId(), Name: c.GetName(), Confidence: c.GetConfidence()}
}

// mediaURL is where the gateway delivers what a service keeps at that path; empty where there is nothing.
func mediaURL(path string) string {
	if path == "" {
		return ""
	}
	return "/media/" + path
}

func each[From, To any](in []From, to func(From) To) []To {
	out := make([]To, 0, len(in))
	for _, one := range in {
		out = append(out, to(one))
	}
	return out
}

func articleCard(c *contentv1.ArticleCard) *webv1.ArticleCard {
	if c == nil {
		return nil
	}
	return &webv1.ArticleCard{
		Id: c.GetId(), Slug: c.GetSlug(), Title: c.GetTitle(), Description: c.GetDescription(), Preview: c.GetPreview(),
		Categories: each(c.GetCategories(), category), Picture: picture(c.GetPicture()), Open: c.GetOpen(),
		PublishedAt: c.GetPublishedAt(), AudioSeconds: c.GetAudioSeconds(), Words: c.GetWords(), Standing: standing(c.GetStanding()),
	}
}

func meditationCard(c *contentv1.MeditationCard) *webv1.MeditationCard {
	if c == nil {
		return nil
	}
	return &webv1.MeditationCard{
		Id: c.GetId(), Slug: c.GetSlug(), Title: c.GetTitle(), Description: c.GetDescription(), Category: category(c.GetCategory()),
		Picture: picture(c.GetPicture()), Type: c.GetType(), Practice: c.GetPractice(), Immersive: c.GetImmersive(), TrackId: c.GetTrackId(),
		Intro: c.GetIntro(), Verified: c.GetVerified(), NarratorName: c.GetNarratorName(), AudioUrl: mediaURL(c.GetAudioPath()),
		AudioSeconds: c.GetAudioSeconds(), CreatedAt: c.GetCreatedAt(), GeneratedBy: c.GetGeneratedBy(), Standing: standing(c.GetStanding()),
	}
}

func categoryCount(c *contentv1.CategoryCount) *webv1.CategoryCount {
	return &webv1.CategoryCount{Id: c.GetId(), Name: c.GetName(), Count: c.GetCount()}
}

func picture(p *contentv1.Picture) *webv1.Picture {
	if p == nil {
		return nil
	}
	return &webv1.Picture{Url: mediaURL(p.GetPath()), Alt: p.GetAlt(), Width: p.GetWidth(), Height: p.GetHeight()}
}

func standing(s *contentv1.Standing) *webv1.Standing {
	return &webv1.Standing{Likes: s.GetLikes(), Liked: s.GetLiked(), Saved: s.GetSaved()}
}

// itemKinds are the same in both contracts by intent; written out so that neither can drift.
var itemKinds = map[webv1.ItemKind]contentv1.ItemKind{
	webv1.ItemKind_ITEM_KIND_ARTICLE:    contentv1.ItemKind_ITEM_KIND_ARTICLE,
	webv1.ItemKind_ITEM_KIND_MEDITATION: contentv1.ItemKind_ITEM_KIND_MEDITATION,
	webv1.ItemKind_ITEM_KIND_BESPOKE:    contentv1.ItemKind_ITEM_KIND_BESPOKE,
}

func itemRef(i *webv1.ItemRef) *contentv1.ItemRef {
	return &contentv1.ItemRef{Kind: itemKinds[i.GetKind()], Id: i.GetId()}
}

// kindOf is an item's kind as the app has it.
func kindOf(kind contentv1.ItemKind) webv1.ItemKind {
	for ours, theirs := range itemKinds {
		if theirs == kind {
			return ours
		}
	}
	return webv1.ItemKind_ITEM_KIND_UNSPECIFIED
}
