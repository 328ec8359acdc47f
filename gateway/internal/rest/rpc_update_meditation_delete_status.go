package rest

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// actionMark is the one of the two actions that marks; the contract lets in the other as well.
const actionMark = "mark"

// UpdateMeditationDeleteStatus marks one of the caller's meditations deleted, or recovers it. Errors: USER_NOT_FOUND for another member;
// MEDITATION_NOT_FOUND, also for another member's; those of generation's MarkMeditationDeleted and RecoverMeditation.
func (a *API) UpdateMeditationDeleteStatus(ctx context.Context, req *restv1.UpdateMeditationDeleteStatusRequest) (*restv1.UpdateMeditationDeleteStatusResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	if err := ownOnly(ctx, req.GetUserId()); err != nil {
		return nil, err
	}
	err := a.mark(ctx, req.GetUid(), req.GetAction() == actionMark)
	a.View.Acted(callerOf(ctx).uid)
	if err != nil {
		return nil, err
	}
	return &restv1.UpdateMeditationDeleteStatusResponse{}, nil
}

func (a *API) mark(ctx context.Context, id string, deleted bool) (err error) {
	if deleted {
		_, err = a.Clients.Meditations.MarkMeditationDeleted(ctx, &generationv1.MarkMeditationDeletedRequest{Id: id})
	} else {
		_, err = a.Clients.Meditations.RecoverMeditation(ctx, &generationv1.RecoverMeditationRequest{Id: id})
	}
	return err
}
