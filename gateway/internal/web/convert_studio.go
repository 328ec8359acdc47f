package web

import (
	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// narrationStates are the same in both contracts by intent; written out so that neither can drift.
var narrationStates = map[contentv1.NarrationState]webv1.NarrationState{
	contentv1.NarrationState_NARRATION_STATE_WAITING:   webv1.NarrationState_NARRATION_STATE_WAITING,
	contentv1.NarrationState_NARRATION_STATE_NARRATING: webv1.NarrationState_NARRATION_STATE_NARRATING,
	contentv1.NarrationState_NARRATION_STATE_DONE:      webv1.NarrationState_NARRATION_STATE_DONE,
	contentv1.NarrationState_NARRATION_STATE_FAILED:    webv1.NarrationState_NARRATION_STATE_FAILED,
}

// madeKinds are the same in both contracts by intent; written out so that neither can drift.
var madeKinds = map[contentv1.ItemKind]webv1.ItemKind{
	contentv1.ItemKind_ITEM_KIND_ARTICLE:    webv1.ItemKind_ITEM_KIND_ARTICLE,
	contentv1.ItemKind_ITEM_KIND_MEDITATION: webv1.ItemKind_ITEM_KIND_MEDITATION,
}

func made(m *contentv1.Made) *webv1.Made {
	out := &webv1.Made{
		Item: &webv1.ItemRef{Kind: madeKinds[m.GetItem().GetKind()], Id: m.GetItem().GetId()}, Title: m.GetTitle(), Type: m.GetType(), Practice: m.GetPractice(),
		Category: category(m.GetCategory()), Immersive: m.GetImmersive(), Intro: m.GetIntro(), Verified: m.GetVerified(),
		DeletedUntil: m.GetDeletedUntil(), AudioUrl: mediaURL(m.GetAudioPath()), AudioSeconds: m.GetAudioSeconds(),
		GeneratedBy: m.GetGeneratedBy(), CreatedAt: m.GetCreatedAt(), Slug: m.GetSlug(),
	}
	if n := m.GetNarration(); n != nil {
		out.Narration = &webv1.Narration{
			State: narrationStates[n.GetState()], PassagesDone: n.GetPassagesDone(), PassagesTotal: n.GetPassagesTotal(),
		}
	}
	return out
}

// choices of the studio's forms. A narrator is offered once, however many types are theirs.
func choices(c *contentv1.GetCatalogueResponse) *webv1.GetStudioResponse {
	out := &webv1.GetStudioResponse{}
	offered := map[string]bool{}
	for _, t := range c.GetTypes() {
		narrator := t.GetNarrator()
		out.Types = append(out.Types, &webv1.Choice{Id: t.GetId(), Name: t.GetName(), Hint: narrator.GetName()})
		if narrator.GetId() != "" && !offered[narrator.GetId()] {
			offered[narrator.GetId()] = true
			out.Narrators = append(out.Narrators, &webv1.Choice{Id: narrator.GetId(), Name: narrator.GetName()})
		}
	}
	for _, p := range c.GetPractices() {
		out.Practices = append(out.Practices, &webv1.Choice{Id: p.GetId(), Name: p.GetName()})
	}
	return out
}
