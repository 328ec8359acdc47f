// Package bespoke indexes members' own meditations for search. Generation's events say which meditations exist; a Fetcher
// fetches each script from generation on the member's behalf, outside any transaction. The member's first search fetches the
// meditations that are older than content's subscription to these events.
package bespoke

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	generationv1 "serein.app/proto/gen/serein/generation/v1"
	"serein.app/proto/gen/serein/generation/v1/generationv1connect"
	"serein.app/services/content/internal/classify"
	store "serein.app/services/content/internal/search/postgres"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/pause"
)

const (
	// poll is how often it is looked for scripts to fetch, atOnce how many are fetched at a time.
	poll   = 2 * time.Second
	atOnce = 16
	// longestWait is between two attempts at a script, however often it has failed.
	longestWait = 10 * time.Minute
	// fillTime is how long a search waits for what the member made before.
	fillTime = 3 * time.Second
	// fillPage is how many are fetched at once then.
	fillPage = 50
)

// Meditations is what it asks generation for.
type Meditations interface {
	GetMeditation(ctx context.Context, req *generationv1.GetMeditationRequest) (*generationv1.GetMeditationResponse, error)
	ListMeditations(ctx context.Context, req *generationv1.ListMeditationsRequest) (*generationv1.ListMeditationsResponse, error)
}

var _ Meditations = generationv1connect.MeditationServiceClient(nil)

// Fetcher fetches scripts.
type Fetcher struct {
	store *store.BespokeStore
	from  Meditations
	now   func() time.Time
	log   *slog.Logger
}

// New makes a fetcher.
func New(s *store.BespokeStore, from Meditations, now func() time.Time, log *slog.Logger) *Fetcher {
	return &Fetcher{s, from, now, log}
}

// File files a text by the classifier.
func File(c *classify.Classifier) store.Filer {
	return func(title, text string) (ids []string, confidence int) {
		matches := c.Classify(title, text)
		for _, m := range matches {
			ids = append(ids, classify.CategoryID(m.Category))
		}
		return ids, matches[0].Confidence
	}
}

// Run fetches the scripts that are due until ctx ends. Replicas share the work.
func (f *Fetcher) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := f.Once(ctx); err != nil && ctx.Err() == nil {
			f.log.WarnContext(ctx, "scripts of members' meditations are not fetched", "error", err)
		}
		_ = pause.For(ctx, poll)
	}
	return nil
}

// Once fetches the scripts that are due now.
func (f *Fetcher) Once(ctx context.Context) error {
	for {
		due, err := f.store.Claim(ctx, atOnce)
		if err != nil {
			return err
		}
		for _, m := range due {
			if err := f.fetch(ctx, m); err != nil {
				return err
			}
		}
		if len(due) < atOnce {
			return nil
		}
	}
}

// fetch asks for one. That generation is away is no failure: it is tried again.
func (f *Fetcher) fetch(ctx context.Context, m store.Bespoke) error {
	res, err := f.from.GetMeditation(auth.WithMember(ctx, m.UID.String()), &generationv1.GetMeditationRequest{Id: m.ID.String(), WithScript: true})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errs.Has(err, errorsv1.Reason_REASON_MEDITATION_NOT_FOUND):
		return f.store.Missed(ctx, m.ID, time.Time{})
	case err != nil || res.GetMeditation().GetStage() != generationv1.Stage_STAGE_READY:
		return f.store.Missed(ctx, m.ID, f.now().Add(min(time.Second<<min(m.Attempts, 20), longestWait)))
	}
	return f.store.Fetched(ctx, made(m.ID, m.UID, res.GetMeditation(), res.GetScript()))
}

func made(id, uid uuid.UUID, m *generationv1.Meditation, script *generationv1.Script) store.Bespoke {
	return store.Bespoke{
		ID: id, UID: uid, Title: m.GetTitle(), Seconds: int(m.GetExpectedMs() / 1000), Immersive: m.GetImmersive(),
		Text: strings.Join(script.GetParagraphs(), " "),
	}
}

// Owns says whether the member of this call has a meditation of that id whose script still exists. It asks generation about an
// id that content does not know yet.
func (f *Fetcher) Owns(ctx context.Context, uid, id uuid.UUID) (bool, error) {
	theirs, err := f.store.IsOf(ctx, id, uid)
	if theirs || err != nil {
		return theirs, err
	}
	res, err := f.from.GetMeditation(auth.WithMember(ctx, uid.String()), &generationv1.GetMeditationRequest{Id: id.String()})
	if errs.Has(err, errorsv1.Reason_REASON_MEDITATION_NOT_FOUND) {
		return false, nil
	}
	return err == nil && res.GetMeditation().GetStage() != generationv1.Stage_STAGE_DELETED, err
}

// Fill fetches, once, the meditations of this call's member that are older than content's subscription to generation's events.
// When generation is unavailable or takes too long, the search goes on without them, and the next search continues from the
// page that this one reached. So several searches fetch them all, however many there are.
func (f *Fetcher) Fill(ctx context.Context) error {
	uid, err := auth.MemberID(ctx)
	if err != nil {
		return err
	}
	filled, next, err := f.store.Filled(ctx, uid)
	if err != nil || filled {
		return err
	}
	filling, cancel := context.WithTimeout(auth.WithMember(ctx, uid.String()), fillTime)
	defer cancel()
	err = f.fill(filling, uid, next)
	if next != "" && errs.Has(err, errorsv1.Reason_REASON_PAGE_TOKEN_INVALID) {
		err = f.fill(filling, uid, "") // of another release, perhaps
	}
	if err != nil && ctx.Err() == nil {
		f.log.WarnContext(ctx, "a member's meditations of before are not found yet", "error", err)
	}
	return ctx.Err()
}

// fill fetches from a page on, and notes after each which one is next.
func (f *Fetcher) fill(ctx context.Context, uid uuid.UUID, next string) error {
	for {
		page, err := f.from.ListMeditations(ctx, &generationv1.ListMeditationsRequest{PageSize: fillPage, PageToken: next, WithScripts: true})
		if err != nil {
			return err
		}
		for i, m := range slices.Backward(page.GetMeditations()) { // they come newest first
			id, err := uuid.Parse(m.GetId())
			if err != nil || m.GetStage() != generationv1.Stage_STAGE_READY || i >= len(page.GetScripts()) {
				continue
			}
			if err := f.store.Fetched(ctx, made(id, uid, m, page.GetScripts()[i])); err != nil {
				return err
			}
		}
		next = page.GetNextPageToken()
		if err := f.store.Fill(ctx, uid, next); err != nil || next == "" {
			return err
		}
	}
}
