package rpc

import (
	"context"

	"connectrpc.com/connect"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/server"
)

// WatchMeditation streams the state at once and then every change. When the process stops, the
// stream ends as unavailable, so that the watcher comes back to another one.
func (h *Handler) WatchMeditation(ctx context.Context, req *generationv1.WatchMeditationRequest, stream *connect.ServerStream[generationv1.WatchMeditationResponse]) error {
	uid, id, err := owned(ctx, req)
	if err != nil {
		return err
	}
	watching, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-server.Stopping(ctx):
			cancel(meditation.ErrStopping)
		case <-watching.Done():
		}
	}()
	err = h.service.Watch(watching, uid, id, int(req.GetFromSegment()), func(u meditation.Update) error {
		return stream.Send(&generationv1.WatchMeditationResponse{
			Meditation: withTomorrow(withTerms(toProto(u.Meditation), u.Terms), u.Meditation), NewSegments: toProtoSegments(u.Segments),
		})
	})
	if err != nil && watching.Err() != nil {
		return context.Cause(watching)
	}
	return err
}
