package rest

import (
	"context"

	"golang.org/x/sync/errgroup"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
	"serein.app/services/platform/errs"
)

const (
	// bespokePage is how many meditations one answer holds.
	bespokePage = 50
	// scriptsAtOnce is how many scripts are read side by side.
	scriptsAtOnce = 8
)

// ListBespokeMeditations answers a member's meditations with their scripts.
func (a *API) ListBespokeMeditations(ctx context.Context, req *restv1.ListBespokeMeditationsRequest) (*restv1.ListBespokeMeditationsResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	ctx, uid, err := a.whose(ctx, req.GetUserId(), "user_id")
	if err != nil {
		return nil, err
	}
	found, next, err := a.bespoke(ctx, req)
	if err != nil {
		return nil, err
	}
	names, err := a.names(ctx)
	if err != nil {
		return nil, err
	}
	by := a.givenName(ctx, uid)
	out := &restv1.ListBespokeMeditationsResponse{NextPageToken: next, Items: make([]*restv1.Meditation, len(found))}
	scripts, bounded := errgroup.WithContext(ctx)
	scripts.SetLimit(scriptsAtOnce)
	for i, m := range found {
		out.Items[i] = a.meditation(m, names, uid, by)
		if m.GetStage() != generationv1.Stage_STAGE_READY {
			continue
		}
		scripts.Go(func() error {
			res, err := a.Clients.Meditations.GetMeditation(bounded, &generationv1.GetMeditationRequest{Id: m.GetId()})
			out.Items[i].Content = script(res.GetSegments())
			return err
		})
	}
	return out, scripts.Wait()
}

// bespoke is one meditation where the request names one, else a page of them.
func (a *API) bespoke(ctx context.Context, req *restv1.ListBespokeMeditationsRequest) ([]*generationv1.Meditation, string, error) {
	if id := req.GetUid(); id != "" {
		res, err := a.Clients.Meditations.GetMeditation(ctx, &generationv1.GetMeditationRequest{Id: id})
		if errs.KindOf(err) == errs.NotFound {
			return nil, "", nil
		}
		return []*generationv1.Meditation{res.GetMeditation()}, "", err
	}
	res, err := a.Clients.Meditations.ListMeditations(ctx, &generationv1.ListMeditationsRequest{
		PageSize: bespokePage, PageToken: req.GetPageToken(),
	})
	return res.GetMeditations(), res.GetNextPageToken(), err
}
