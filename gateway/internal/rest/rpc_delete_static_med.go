package rest

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// DeleteStaticMed takes a meditation of the library from members; an admin restores it for a day. Errors: ITEM_NOT_FOUND.
func (a *API) DeleteStaticMed(ctx context.Context, req *restv1.DeleteStaticMedRequest) (*restv1.DeleteStaticMedResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	if _, err := a.Clients.Studio.DeleteMeditation(asCaller(ctx), &contentv1.DeleteMeditationRequest{Id: req.GetUid()}); err != nil {
		return nil, err
	}
	return &restv1.DeleteStaticMedResponse{}, nil
}
