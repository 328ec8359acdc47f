package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/diary"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/pagetoken"
)

// entriesPage is the size of a page of a diary where none is asked for.
const entriesPage = 50

// ListEntries answers the entries of the member's diary, the last day first.
func (r *Reading) ListEntries(ctx context.Context, req *contentv1.ListEntriesRequest) (*contentv1.ListEntriesResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	below, err := diary.ParsePlace(req.GetPageToken())
	if err != nil {
		return nil, err
	}
	size := int(req.GetPageSize())
	if size == 0 {
		size = entriesPage
	}
	entries, err := r.ports.Diary.Page(ctx, uid, below, size+1)
	if err != nil {
		return nil, err
	}
	res := &contentv1.ListEntriesResponse{}
	if res.Keeping, err = r.ports.Diary.Keeps(ctx, uid); err != nil {
		return nil, err
	}
	if res.Full, err = r.ports.Diary.IsFull(ctx, uid); err != nil {
		return nil, err
	}
	if len(entries) > size {
		entries, res.NextPageToken = entries[:size], pagetoken.Encode(entries[size-1].Place())
	}
	for _, e := range entries {
		res.Entries = append(res.Entries, diaryEntry(e))
	}
	return res, nil
}
