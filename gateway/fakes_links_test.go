package gateway

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
)

// links are those that members share meditations by.
type links struct {
	shares map[string]*generationv1.Share // by meditation
	linked int
}

var errNoShare = errs.New(errs.NotFound, errorsv1.Reason_REASON_SHARE_NOT_FOUND, "This link doesn’t lead anywhere. It may have been ended.")

// tokenOf is what stands in the nth link.
func tokenOf(n int) string { return strings.Repeat("Az09-_bc", 4)[:31] + string(rune('a'+n)) }

func (s *services) ofOwner(ctx context.Context, id string) error {
	if err := s.fault(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.meditations {
		if o.m.GetId() == id && o.uid == auth.Member(ctx) {
			return nil
		}
	}
	return errNoMeditation
}

func (s *services) GetShare(ctx context.Context, req *generationv1.GetShareRequest) (*generationv1.GetShareResponse, error) {
	if err := s.ofOwner(ctx, req.GetId()); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return &generationv1.GetShareResponse{Share: s.shares[req.GetId()]}, nil
}

func (s *services) ListShares(ctx context.Context, _ *generationv1.ListSharesRequest) (*generationv1.ListSharesResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	res := &generationv1.ListSharesResponse{}
	for _, o := range s.meditations {
		if share := s.shares[o.m.GetId()]; share != nil && o.uid == auth.Member(ctx) {
			res.Shares = append(res.Shares, share)
		}
	}
	return res, nil
}

func (s *services) ShareMeditation(ctx context.Context, req *generationv1.ShareMeditationRequest) (*generationv1.ShareMeditationResponse, error) {
	if err := s.ofOwner(ctx, req.GetId()); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shares == nil {
		s.shares = map[string]*generationv1.Share{}
	}
	share := s.shares[req.GetId()]
	if share == nil {
		share = &generationv1.Share{MeditationId: req.GetId(), Token: tokenOf(s.linked), CreatedAt: timestamppb.New(time.Unix(1_763_000_000, 0))}
		s.linked++
	}
	s.shares[req.GetId()] = &generationv1.Share{MeditationId: share.GetMeditationId(), Token: share.GetToken(), ShownName: req.GetShownName(), CreatedAt: share.GetCreatedAt()}
	return &generationv1.ShareMeditationResponse{Share: s.shares[req.GetId()]}, nil
}

func (s *services) EndShare(ctx context.Context, req *generationv1.EndShareRequest) (*generationv1.EndShareResponse, error) {
	if err := s.ofOwner(ctx, req.GetId()); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.shares, req.GetId())
	return &generationv1.EndShareResponse{}, nil
}

// byToken is the link with that token; nil for none.
func (s *services) byToken(token string) *generationv1.Share {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, share := range s.shares {
		if share.GetToken() == token {
			return share
		}
	}
	return nil
}

func (s *services) OpenShare(ctx context.Context, req *generationv1.OpenShareRequest) (*generationv1.OpenShareResponse, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	share := s.byToken(req.GetToken())
	if share == nil {
		return nil, errNoShare
	}
	return &generationv1.OpenShareResponse{
		Title: "A kind evening", TypeId: "gratitude", NarratorName: "Wren", DurationMs: 300_000, ShownName: share.GetShownName(),
		Segments: []*generationv1.Segment{{DurationMs: 300_000, Lines: []*generationv1.Line{{Text: "Rest here.", EndMs: 2000}}}},
	}, nil
}

func (s *services) sharedSound(w http.ResponseWriter, r *http.Request) {
	if s.byToken(r.Header.Get("Serein-Share")) == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	http.ServeContent(w, r, "a.mp3", time.Time{}, bytes.NewReader(audio[:1000]))
}
