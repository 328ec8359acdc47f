package rpc

import (
	"context"
	"errors"

	"google.golang.org/protobuf/types/known/timestamppb"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/auth"
)

// Shares answers the ShareService.
type Shares struct{ service *meditation.Service }

var _ generationv1connect.ShareServiceHandler = (*Shares)(nil)

// NewShares makes a Shares.
func NewShares(s *meditation.Service) *Shares { return &Shares{s} }

// ShareMeditation makes a meditation's link, or has the running one show another name.
func (h *Shares) ShareMeditation(ctx context.Context, req *generationv1.ShareMeditationRequest) (*generationv1.ShareMeditationResponse, error) {
	uid, id, err := owned(ctx, req)
	if err != nil {
		return nil, err
	}
	share, err := h.service.Share(ctx, uid, id, req.GetShownName())
	if err != nil {
		return nil, err
	}
	return &generationv1.ShareMeditationResponse{Share: toProtoShare(share)}, nil
}

// GetShare answers a meditation's running link, if there is one.
func (h *Shares) GetShare(ctx context.Context, req *generationv1.GetShareRequest) (*generationv1.GetShareResponse, error) {
	uid, id, err := owned(ctx, req)
	if err != nil {
		return nil, err
	}
	share, err := h.service.ShareOf(ctx, uid, id)
	switch {
	case errors.Is(err, meditation.ErrShareNotFound):
		return &generationv1.GetShareResponse{}, nil
	case err != nil:
		return nil, err
	}
	return &generationv1.GetShareResponse{Share: toProtoShare(share)}, nil
}

// ListShares answers a page of the member's running links.
func (h *Shares) ListShares(ctx context.Context, req *generationv1.ListSharesRequest) (*generationv1.ListSharesResponse, error) {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return nil, err
	}
	shares, next, err := h.service.ListShares(ctx, uid, int(req.GetPageSize()), req.GetPageToken())
	if err != nil {
		return nil, err
	}
	res := &generationv1.ListSharesResponse{NextPageToken: next}
	for _, s := range shares {
		res.Shares = append(res.Shares, toProtoShare(s))
	}
	return res, nil
}

// EndShare ends a meditation's link.
func (h *Shares) EndShare(ctx context.Context, req *generationv1.EndShareRequest) (*generationv1.EndShareResponse, error) {
	uid, id, err := owned(ctx, req)
	if err != nil {
		return nil, err
	}
	return &generationv1.EndShareResponse{}, h.service.EndShare(ctx, uid, id)
}

// OpenShare answers everybody what a link leads to.
func (h *Shares) OpenShare(ctx context.Context, req *generationv1.OpenShareRequest) (*generationv1.OpenShareResponse, error) {
	m, share, segments, err := h.service.OpenShare(ctx, req.GetToken())
	if err != nil {
		return nil, err
	}
	return &generationv1.OpenShareResponse{
		Title: m.Name(), TypeId: m.TypeID, TrackId: m.TrackID, Immersive: m.Immersive, NarratorName: m.NarratorName,
		DurationMs: m.ReadyFor.Milliseconds(), ShownName: share.ShownName, Segments: toProtoSegments(segments),
	}, nil
}

func toProtoShare(s meditation.Share) *generationv1.Share {
	return &generationv1.Share{
		MeditationId: s.MeditationID.String(), Token: s.Token, ShownName: s.ShownName, CreatedAt: timestamppb.New(s.CreatedAt),
	}
}
