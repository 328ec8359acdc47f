package rest

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// UpdateStaticMed lets members hear a meditation of the library. Errors: ITEM_NOT_FOUND, NOT_NARRATED.
func (a *API) UpdateStaticMed(ctx context.Context, req *restv1.UpdateStaticMedRequest) (*restv1.UpdateStaticMedResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	if _, err := a.Clients.Studio.VerifyMeditation(asCaller(ctx), &contentv1.VerifyMeditationRequest{Id: req.GetUid()}); err != nil {
		return nil, err
	}
	return &restv1.UpdateStaticMedResponse{}, nil
}
