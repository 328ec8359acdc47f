package rest

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
)

// GetArticles answers the published articles as far as the caller may read them; a service account reads all of each.
func (a *API) GetArticles(ctx context.Context, req *restv1.GetArticlesRequest) (*restv1.GetArticlesResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	out := &restv1.GetArticlesResponse{}
	next, err := pages(req.GetPageToken(), func(token string) (string, error) {
		res, err := a.Clients.Articles.ListArticles(asCaller(ctx), &contentv1.ListArticlesRequest{PageSize: pageItems, PageToken: token, WithTexts: true})
		for i, c := range res.GetArticles() {
			out.Items = append(out.Items, a.article(c, nth(res.GetTexts(), i)))
		}
		return res.GetNextPageToken(), err
	})
	if err != nil {
		return nil, err
	}
	out.NextPageToken = next
	return out, nil
}
