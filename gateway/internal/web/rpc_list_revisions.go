package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ListRevisions pages through the trail of one item, or of everything.
func (s *Screens) ListRevisions(ctx context.Context, req *webv1.ListRevisionsRequest) (*webv1.ListRevisionsResponse, error) {
	res, err := s.Clients.Management.ListRevisions(ctx, &contentv1.ListRevisionsRequest{
		Key: contentKey(req.GetKey()), Search: req.GetSearch(), PageSize: req.GetPageSize(), PageToken: req.GetPageToken(),
	})
	if err != nil {
		return nil, err
	}
	var actors []string
	for _, r := range res.GetRevisions() {
		actors = append(actors, r.GetActor())
	}
	names := s.namesOf(ctx, actors)
	out := &webv1.ListRevisionsResponse{NextPageToken: res.GetNextPageToken()}
	for _, r := range res.GetRevisions() {
		out.Revisions = append(out.Revisions, revision(r, names[r.GetActor()]))
	}
	return out, nil
}
