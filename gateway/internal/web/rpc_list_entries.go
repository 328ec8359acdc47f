package web

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
)

// ListEntries answers a page of the member's diary.
func (s *Screens) ListEntries(ctx context.Context, req *webv1.ListEntriesRequest) (*webv1.ListEntriesResponse, error) {
	res, err := s.Clients.Diary.ListEntries(ctx, &contentv1.ListEntriesRequest{PageSize: req.GetPageSize(), PageToken: req.GetPageToken()})
	if err != nil {
		return nil, err
	}
	out := &webv1.ListEntriesResponse{NextPageToken: res.GetNextPageToken(), Keeping: res.GetKeeping(), Full: res.GetFull()}
	for _, e := range res.GetEntries() {
		out.Entries = append(out.Entries, diaryEntry(e))
	}
	return out, nil
}

func diaryEntry(e *contentv1.DiaryEntry) *webv1.DiaryEntry {
	out := &webv1.DiaryEntry{
		Id: e.GetId(), Day: e.GetDay(), At: e.GetAt(), Title: e.GetTitle(), HeardMs: e.GetHeardMs(), Finished: e.GetFinished(), Line: e.GetLine(),
		ByHand: e.GetByHand(), Slug: e.GetSlug(), Available: e.GetAvailable(), Immersive: e.GetImmersive(),
	}
	if i := e.GetItem(); i != nil {
		out.Item = &webv1.ItemRef{Kind: kindOf(i.GetKind()), Id: i.GetId()}
	}
	return out
}
