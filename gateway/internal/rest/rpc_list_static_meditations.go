package rest

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// ListStaticMeditations answers the meditations of the library, to admins on our own pages those too that are not verified.
func (a *API) ListStaticMeditations(ctx context.Context, req *restv1.ListStaticMeditationsRequest) (*restv1.ListStaticMeditationsResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	out := &restv1.ListStaticMeditationsResponse{}
	next, err := pages(req.GetPageToken(), func(token string) (string, error) {
		res, err := a.Clients.Library.ListMeditations(asCaller(ctx), &contentv1.ListMeditationsRequest{PageSize: pageItems, PageToken: token, WithScripts: true})
		for i, c := range res.GetMeditations() {
			out.Items = append(out.Items, a.recording(c, nth(res.GetScripts(), i)))
		}
		return res.GetNextPageToken(), err
	})
	if err != nil {
		return nil, err
	}
	out.NextPageToken = next
	return out, nil
}
