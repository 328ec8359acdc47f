package web

import (
	"context"
	"time"

	"connectrpc.com/connect"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/rpc"
)

// WatchMeditation passes generation's stream on. A quiet stream repeats its state as a
// heartbeat, and with every message the session is checked again: a stream does not outlive a
// sign-out. The last message carries the credits as they then stand.
func (s *Screens) WatchMeditation(ctx context.Context, req *webv1.WatchMeditationRequest, out *connect.ServerStream[webv1.WatchMeditationResponse]) error {
	leave, err := s.Limits.Streams.Enter(ctx, memberOf(ctx).UID)
	if err != nil {
		return err
	}
	defer leave()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in, err := s.Clients.Meditations.WatchMeditation(ctx, &generationv1.WatchMeditationRequest{
		Id: req.GetId(), FromSegment: req.GetFromSegment(),
	})
	if err != nil {
		return rpc.FromConnect(err)
	}
	return s.relay(ctx, receive(ctx, in), out)
}

// change is a message of generation's stream, or how it ended.
type change struct {
	msg *generationv1.WatchMeditationResponse
	err error
	end bool
}

// receive reads the stream into a channel, so that a heartbeat can come in between.
// It ends with the stream or with ctx, and closes the stream itself.
func receive(ctx context.Context, in *connect.ServerStreamForClient[generationv1.WatchMeditationResponse]) <-chan change {
	changes := make(chan change)
	send := func(c change) bool {
		select {
		case changes <- c:
			return true
		case <-ctx.Done():
			return false
		}
	}
	go func() {
		defer func() { _ = in.Close() }()
		for in.Receive() {
			if !send(change{msg: in.Msg()}) {
				return
			}
		}
		send(change{err: rpc.FromConnect(in.Err()), end: true})
	}()
	return changes
}

func (s *Screens) relay(ctx context.Context, changes <-chan change, out *connect.ServerStream[webv1.WatchMeditationResponse]) error {
	beat := time.NewTicker(s.Heartbeat)
	defer beat.Stop()
	var last *webv1.Meditation
	for {
		next := &webv1.WatchMeditationResponse{Meditation: last}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-s.Stopping:
			return errs.ErrUnavailable // the app asks another replica
		case <-beat.C:
		case c := <-changes:
			if c.end {
				return c.err
			}
			next = s.shown(ctx, c.msg)
			last = next.GetMeditation()
			beat.Reset(s.Heartbeat)
		}
		if _, err := s.Sessions.Check(ctx, sessionID(ctx)); err != nil {
			return err
		}
		if err := out.Send(next); err != nil {
			return err
		}
	}
}

func (s *Screens) shown(ctx context.Context, msg *generationv1.WatchMeditationResponse) *webv1.WatchMeditationResponse {
	m := msg.GetMeditation()
	out := &webv1.WatchMeditationResponse{
		Meditation:  s.catalogue.orEmpty(ctx).meditation(m),
		NewSegments: segments(m.GetId(), msg.GetNewSegments()),
	}
	if ended(m.GetStage()) {
		out.Credits = s.creditsAfter(ctx, nil)
	}
	return out
}
