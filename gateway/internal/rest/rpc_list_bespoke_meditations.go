package rest

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
	"serein.app/services/platform/errs"
)

// bespokePage is how many meditations one answer holds.
const bespokePage = 50

// ListBespokeMeditations answers a member's meditations with their scripts.
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
	out := &restv1.ListBespokeMeditationsResponse{NextPageToken: next, Items: make([]*restv1.Meditation, len(found))}
	for i, m := range found {
		out.Items[i] = a.meditation(m, names, uid, by)
		if m.GetStage() == generationv1.Stage_STAGE_READY && i < len(scripts) {
			out.Items[i].Content = content(scripts[i])
		}
	}
	return out, nil
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
		PageSize: bespokePage, PageToken: req.GetPageToken(), WithScripts: true,
	})
	return res.GetMeditations(), res.GetScripts(), res.GetNextPageToken(), err
}
