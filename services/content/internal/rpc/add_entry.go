package rpc

import (
	"context"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/diary"
)

// AddEntry writes an entry by hand. Sent again, it answers the entry that is there.
func (r *Reading) AddEntry(ctx context.Context, req *contentv1.AddEntryRequest) (*contentv1.AddEntryResponse, error) {
	uid, id, err := ofDiary(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	day, err := diary.ParseDay(req.GetDay(), r.ports.Now())
	if err != nil {
		return nil, err
	}
	line := diary.Line(req.GetLine())
	if line == "" {
		return nil, diary.ErrLine
	}
	added, err := r.ports.Diary.Add(ctx, uid, id, day, line)
	if err != nil {
		return nil, err
	}
	return &contentv1.AddEntryResponse{Entry: diaryEntry(added)}, nil
}
