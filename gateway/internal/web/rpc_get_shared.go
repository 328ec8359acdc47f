package web

import (
	"context"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/auth"
)

// GetShared answers everybody who has the link of a meditation that its member shares. It is asked in nobody's name.
func (s *Screens) GetShared(ctx context.Context, req *webv1.GetSharedRequest) (*webv1.GetSharedResponse, error) {
	ctx = auth.WithSubject(ctx, auth.Subject{})
	res, err := s.Clients.Shares.OpenShare(ctx, &generationv1.OpenShareRequest{Token: req.GetToken()})
	if err != nil {
		return nil, err
	}
	catalogue := s.catalogue.orEmpty(ctx)
	out := &webv1.GetSharedResponse{
		Title: res.GetTitle(), TypeName: catalogue.name("type", res.GetTypeId()), NarratorName: res.GetNarratorName(),
		DurationMs: res.GetDurationMs(), SharedBy: res.GetShownName(), AudioUrl: "/media/shared/" + req.GetToken(),
	}
	if res.GetImmersive() {
		out.Track = catalogue.trackByID[res.GetTrackId()]
	}
	for _, segment := range segments("", res.GetSegments()) {
		segment.AudioUrl = ""
		out.Segments = append(out.Segments, segment)
	}
	return out, nil
}
