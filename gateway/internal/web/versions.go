package web

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	contentv1 "serein.app/proto/gen/serein/content/v1"
	"serein.app/proto/gen/serein/content/v1/contentv1connect"
	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/platform/cached"
	"serein.app/services/platform/errs"
)

var (
	errVersion = errs.New(errs.Invalid, errorsv1.Reason_REASON_INVALID_ARGUMENT, "Our terms have changed since you opened this page. Please load it again and read them.")
	errConsent = errs.New(errs.FailedPrecondition, errorsv1.Reason_REASON_CONSENT_REQUIRED, "We need two things from you to carry on: please agree to the terms and the essentials.")
)

const (
	// textsLife is how long the versions are used before content is asked again: as long as the pages that show the texts.
	textsLife = 5 * time.Second
	// textsPause is how long content is left alone after it did not name them.
	textsPause = 2 * time.Second
)

// versions are those of the two texts that members agree to, each YYYY-MM-DD.
type versions struct{ terms, privacy string }

// String names both, for they are agreed to together: whichever changes is asked for again. Consent to any other
// pair is consent to a text that does not hold.
func (v versions) String() string { return "terms " + v.terms + ", privacy " + v.privacy }

// texts are the versions that content publishes.
type texts struct{ *cached.Value[versions] }

// newTexts keeps them as they were last named. Who finds them older than their life waits for the next, so that nobody
// agrees to what was replaced before.
func newTexts(c contentv1connect.PageServiceClient, log *slog.Logger, now func() time.Time) *texts {
	cfg := publicAnswer("versions of the texts", log, now, func(ctx context.Context) (versions, error) {
		var v versions
		both, ctx := errgroup.WithContext(ctx)
		both.Go(func() (err error) { v.terms, err = versionOf(ctx, c, "terms"); return err })
		both.Go(func() (err error) { v.privacy, err = versionOf(ctx, c, "privacy"); return err })
		return v, both.Wait()
	})
	cfg.Time, cfg.Life, cfg.Pause, cfg.Wait = partTime, textsLife, textsPause, true
	return &texts{cached.New(cfg)}
}

// versionOf asks for a text's version. A text without a day is none that anybody could agree to.
func versionOf(ctx context.Context, c contentv1connect.PageServiceClient, name string) (string, error) {
	res, err := c.GetText(ctx, &contentv1.GetTextRequest{Name: name})
	if err != nil {
		return "", err
	}
	if _, err := time.Parse(time.DateOnly, res.GetVersion()); err != nil {
		return "", fmt.Errorf("the version of the text %q: %w", name, err)
	}
	return res.GetVersion(), nil
}

// published are the versions as they stand; while content is away, as they last stood. Error: UNAVAILABLE where it has
// named none since the start.
func (t *texts) published(ctx context.Context) (versions, error) {
	v, err := t.Get(ctx) // for partTime at most
	if err != nil {
		return versions{}, errs.ErrUnavailable.Because(fmt.Errorf("versions of the texts: %w", err))
	}
	return v, nil
}

// Texts are the versions as they stand: of both, as consent to the terms names them, and of the privacy policy. Errors: UNAVAILABLE.
func (s *Screens) Texts(ctx context.Context) (terms, privacy string, err error) {
	v, err := s.texts.published(ctx)
	return v.String(), v.privacy, err
}

// agreedTo answers the versions where those are what somebody says they agree to. Errors: UNAVAILABLE where they are not
// known; INVALID_ARGUMENT on the field for any other.
func (t *texts) agreedTo(ctx context.Context, said, field string) (versions, error) {
	v, err := t.published(ctx)
	if err == nil && said != v.String() {
		err = errVersion.On(field)
	}
	return v, err
}
