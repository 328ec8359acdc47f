// Package press counts how often a caller presses Generate, for the screens and for REST. A title that generation refuses costs its
// caller no press, and a caller at the limit still gets words of care.
package press

import (
	"context"

	"serein.app/gateway/internal/ratelimit"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/platform/errs"
)

// Gate lets presses through.
type Gate struct {
	// Presses limits what is made, Titles the refused titles that are no press; both count by caller.
	Presses, Titles *ratelimit.Limiter
	// Meditations judges a title where nothing is made.
	Meditations generationv1connect.MeditationServiceClient
}

// Through counts a press of the caller and calls create, which asks generation's CreateMeditation. CreateMeditation judges the title
// before anything else, so an ordinary press needs no other call. Through asks CheckTitle only where the limit, or a rule that comes
// before the title, refuses the press. Errors: the title's refusal; guard.ErrTooMany; those of create.
func (g Gate) Through(ctx context.Context, caller, title string, create func() error) error {
	takeBack, err := g.Presses.Count(ctx, caller)
	if err == nil {
		err = create()
	}
	if errs.Has(err, errorsv1.Reason_REASON_TOO_MANY_REQUESTS) || errs.Has(err, errorsv1.Reason_REASON_INVALID_ARGUMENT) {
		err = g.Judged(ctx, caller, title, err)
	} else if refusesTitle(err) && g.Titles.Allow(ctx, caller) != nil {
		return err // a machine that tries titles uses up its presses
	}
	if refusesTitle(err) {
		takeBack(ctx)
	}
	return err
}

// OfDraft counts a press of the caller that has a draft narrated and calls create. The request has no title that could be judged here.
func (g Gate) OfDraft(ctx context.Context, caller, _ string, create func() error) error {
	if err := g.Presses.Allow(ctx, caller); err != nil {
		return err
	}
	return create()
}

// Judged answers the refusal of the title, or err where the title is allowed. It also answers err, unjudged, to a caller who is over
// the limit of Titles.
func (g Gate) Judged(ctx context.Context, caller, title string, err error) error {
	if g.Titles.Allow(ctx, caller) != nil {
		return err
	}
	if _, refused := g.Meditations.CheckTitle(ctx, &generationv1.CheckTitleRequest{Title: title}); refused != nil {
		return refused
	}
	return err
}

func refusesTitle(err error) bool {
	if err == nil {
		return false
	}
	switch errs.From(err).Reason { //nolint:exhaustive // the reasons of titles
	case errorsv1.Reason_REASON_TITLE_REQUIRED, errorsv1.Reason_REASON_TITLE_TOO_LONG, errorsv1.Reason_REASON_TITLE_INVALID,
		errorsv1.Reason_REASON_TITLE_PROFANE, errorsv1.Reason_REASON_TITLE_NEEDS_CARE:
		return true
	}
	return false
}
