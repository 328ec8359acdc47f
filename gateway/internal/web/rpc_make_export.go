package web

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	webv1 "serein.app/proto/gen/serein/web/v1"
)

// MakeExport links to a copy of everything of the member's.
func (s *Screens) MakeExport(ctx context.Context, _ *webv1.MakeExportRequest) (*webv1.MakeExportResponse, error) {
	sid, err := s.sid(ctx)
	if err != nil {
		return nil, err
	}
	link, err := s.Exports.Make(ctx, memberOf(ctx).UID, sid)
	if err != nil {
		return nil, err
	}
	return &webv1.MakeExportResponse{Url: link.Path, FileName: link.FileName, Bytes: link.Bytes, ExpiresAt: timestamppb.New(link.ExpiresAt)}, nil
}
