package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// savedPage is how many cards a tab of My Journey shows at once.
const savedPage = 24

// savedKinds are content's lists of the tabs.
var savedKinds = map[webv1.SavedKind]struct {
	kind  contentv1.ItemKind
	intro bool
}{
	webv1.SavedKind_SAVED_KIND_INTRODUCTION: {contentv1.ItemKind_ITEM_KIND_MEDITATION, true},
	webv1.SavedKind_SAVED_KIND_LIBRARY:      {contentv1.ItemKind_ITEM_KIND_MEDITATION, false},
	webv1.SavedKind_SAVED_KIND_ARTICLE:      {contentv1.ItemKind_ITEM_KIND_ARTICLE, false},
}

// ListSaved pages through what the member has saved, the last first, with the sounds that go beneath meditations.
func (s *Screens) ListSaved(ctx context.Context, req *webv1.ListSavedRequest) (*webv1.ListSavedResponse, error) {
	of := savedKinds[req.GetKind()]
	res, err := s.Clients.Items.ListSaved(ctx, &contentv1.ListSavedRequest{
		Kind: of.kind, Intro: of.intro, Search: req.GetSearch(), PageSize: savedPage, PageToken: req.GetPageToken(),
	})
	if err != nil {
		return nil, err
	}
	out := &webv1.ListSavedResponse{NextPageToken: res.GetNextPageToken(), Total: res.GetTotal()}
	if of.kind == contentv1.ItemKind_ITEM_KIND_ARTICLE {
		out.Articles = each(res.GetArticles(), articleCard)
		return out, nil
	}
	out.Meditations, out.Tracks = each(res.GetMeditations(), meditationCard), warmFirst(s.catalogue.orEmpty(ctx).tracks)
	return out, nil
}
