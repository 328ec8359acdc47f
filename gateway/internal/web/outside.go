package web

import (
	"context"
	"log/slog"
	"time"

	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	webv1 "serein.app/proto/gen/serein/web/v1"
	"serein.app/services/platform/cached"
)

// outside is who outside Serein may get a title, as generation's settings say. Its message is shared and never changed.
type outside struct {
	*cached.Value[*webv1.Outside]
}

func newOutside(c generationv1connect.SampleServiceClient, log *slog.Logger, now func() time.Time) *outside {
	return &outside{cached.New(publicAnswer("who outside may get titles", log, now, func(ctx context.Context) (*webv1.Outside, error) {
		res, err := c.ListNarrators(ctx, &generationv1.ListNarratorsRequest{})
		if err != nil {
			return nil, err
		}
		out := &webv1.Outside{Writer: res.GetWriterRecipient()}
		for _, n := range res.GetNarrators() {
			if to := n.GetRecipient(); to != "" {
				out.Narrators = append(out.Narrators, &webv1.OutsideNarrator{NarratorId: n.GetId(), Recipient: to})
			}
		}
		return out, nil
	}))}
}

// as answers it with the member's own choice, within partTime; nil where nobody can say.
func (o *outside) as(ctx context.Context, keepInside bool) *webv1.Outside {
	ctx, cancel := context.WithTimeout(ctx, partTime)
	defer cancel()
	known, err := o.Get(ctx)
	if err != nil {
		return nil
	}
	return &webv1.Outside{Writer: known.GetWriter(), Narrators: known.GetNarrators(), KeepInside: keepInside}
}
