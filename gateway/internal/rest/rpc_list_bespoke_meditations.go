package rest

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
	"serein.app/services/platform/errs"
)

// bespokePage is how many meditations one answer holds.
const bespokePage = 50

// ListBespokeMeditations answers a member's meditations with their scripts, those that are marked deleted among them.
func (a *API) ListBespokeMeditations(ctx context.Context, req *restv1.ListBespokeMeditationsRequest) (*restv1.ListBespokeMeditationsResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	ctx, uid, err := a.subject(ctx, req.GetUserId(), "user_id")
	if err != nil {
		return nil, err
	}
	found, scripts, next, err := a.bespoke(ctx, req)
	if err != nil {
		return nil, err
	}
	names, err := a.names(ctx)
	if err != nil {
		return nil, err
	}
	by, err := a.givenName(ctx, uid)
	if err != nil {
		return nil, err
	}
	known := a.knownOf(ctx, found)
	out := &restv1.ListBespokeMeditationsResponse{NextPageToken: next, Items: make([]*restv1.Meditation, len(found))}
	for i, m := range found {
		out.Items[i] = a.meditation(m, names, uid, by)
		file(out.Items[i], known[m.GetId()])
		if m.GetStage() == generationv1.Stage_STAGE_READY && i < len(scripts) {
			out.Items[i].Content = content(scripts[i])
		}
	}
	return out, nil
}

// knownOf the meditations is what content has filed and counted, by their ids. The list comes without it where content is away.
func (a *API) knownOf(ctx context.Context, found []*generationv1.Meditation) map[string]*contentv1.BespokeItem {
	req := &contentv1.BatchGetBespokeRequest{}
	for _, m := range found {
		req.Ids = append(req.Ids, m.GetId())
	}
	if len(found) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, optionalTime)
	defer cancel()
	res, err := a.Clients.Items.BatchGetBespoke(ctx, req)
	if err != nil {
		a.without(ctx, "categories and likes", err)
	}
	known := make(map[string]*contentv1.BespokeItem, len(res.GetItems()))
	for _, item := range res.GetItems() {
		known[item.GetId()] = item
	}
	return known
}

// file adds what content knows of it.
func file(m *restv1.Meditation, known *contentv1.BespokeItem) {
	m.Likes = known.GetStanding().GetLikes()
	for _, c := range known.GetCategories() {
		m.Category = append(m.Category, categories(c)...)
	}
}

// bespoke is one meditation where the request names one, else a page of them; with the script of each.
func (a *API) bespoke(ctx context.Context, req *restv1.ListBespokeMeditationsRequest) ([]*generationv1.Meditation, []*generationv1.Script, string, error) {
	if id := req.GetUid(); id != "" {
		res, err := a.Clients.Meditations.GetMeditation(ctx, &generationv1.GetMeditationRequest{Id: id, WithScript: true})
		if errs.KindOf(err) == errs.NotFound {
			return nil, nil, "", nil
		}
		return []*generationv1.Meditation{res.GetMeditation()}, []*generationv1.Script{res.GetScript()}, "", err
	}
	res, err := a.Clients.Meditations.ListMeditations(ctx, &generationv1.ListMeditationsRequest{
		PageSize: bespokePage, PageToken: req.GetPageToken(), WithScripts: true, Filter: generationv1.MeditationFilter_MEDITATION_FILTER_ALL,
	})
	return res.GetMeditations(), res.GetScripts(), res.GetNextPageToken(), err
}
