package rpc

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/diary"
)

func diaryEntry(e diary.Entry) *contentv1.DiaryEntry {
	out := &contentv1.DiaryEntry{
		Id: e.ID.String(), Day: e.Day.Format(time.DateOnly), At: timestamppb.New(e.At), Title: e.Title, HeardMs: e.Heard.Milliseconds(),
		Finished: e.Finished, Line: e.Line, ByHand: e.ByHand(), Slug: e.Slug, Available: e.Available, Immersive: e.Immersive,
	}
	if e.Item.ID != "" {
		out.Item = itemRef(e.Item)
	}
	return out
}
