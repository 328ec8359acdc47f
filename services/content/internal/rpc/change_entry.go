package rpc

import (
	"context"

	"github.com/google/uuid"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/services/content/internal/diary"
	"serein.app/services/platform/auth"
)

// ChangeEntry gives an entry another line.
func (r *Reading) ChangeEntry(ctx context.Context, req *contentv1.ChangeEntryRequest) (*contentv1.ChangeEntryResponse, error) {
	uid, id, err := ofDiary(ctx, req.GetId())
	if err != nil {
		return nil, err
	}
	changed, err := r.ports.Diary.ChangeLine(ctx, uid, id, diary.Line(req.GetLine()))
	if err != nil {
		return nil, err
	}
	return &contentv1.ChangeEntryResponse{Entry: diaryEntry(changed)}, nil
}

// ofDiary names the member and an entry. Errors: auth.ErrUnauthenticated; diary.ErrNotFound for what is no entry's id.
func ofDiary(ctx context.Context, entry string) (uid, id uuid.UUID, err error) {
	if uid, err = auth.MemberID(ctx); err != nil {
		return uid, id, err
	}
	if id, err = uuid.Parse(entry); err != nil {
		return uid, id, diary.ErrNotFound.Because(err)
	}
	return uid, id, nil
}
