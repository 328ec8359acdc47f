package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// Search finds articles, meditations of the library, the member's own, and courses.
func (s *Screens) Search(ctx context.Context, req *webv1.SearchRequest) (*webv1.SearchResponse, error) {
	res, err := s.Clients.Search.Search(ctx, &contentv1.SearchRequest{
		Text: req.GetText(), Kind: itemKinds[req.GetKind()], Category: req.GetCategory(), PageSize: req.GetPageSize(), PageToken: req.GetPageToken(),
	})
	if err != nil {
		return nil, err
	}
	return &webv1.SearchResponse{
		Groups: each(res.GetGroups(), searchGroup), Categories: each(res.GetCategories(), categoryCount), Courses: each(res.GetCourses(), courseCard),
	}, nil
}

func searchGroup(g *contentv1.SearchGroup) *webv1.SearchGroup {
	return &webv1.SearchGroup{
		Kind: kindOf(g.GetKind()), Matches: each(g.GetMatches(), match), Total: g.GetTotal(), NextPageToken: g.GetNextPageToken(),
	}
}

func match(m *contentv1.Match) *webv1.Match {
	return &webv1.Match{
		Item: &webv1.ItemRef{Kind: kindOf(m.GetItem().GetKind()), Id: m.GetItem().GetId()}, Slug: m.GetSlug(), Category: category(m.GetCategory()),
		Title: each(m.GetTitle(), piece), Excerpt: each(m.GetExcerpt(), piece), Immersive: m.GetImmersive(), AudioSeconds: m.GetAudioSeconds(),
		Picture: picture(m.GetPicture()),
	}
}

func piece(p *contentv1.Piece) *webv1.Piece {
	return &webv1.Piece{Text: p.GetText(), Matched: p.GetMatched()}
}
