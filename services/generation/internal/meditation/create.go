package meditation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/platform/deadline"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/pause"
)

// createTime bounds a request from the first write to the queue, in case a part hangs.
var createTime = deadline.Of(10 * time.Second)

// holdTime bounds the question to billing, so that who asked hears what is wrong before they stop waiting themselves.
var holdTime = deadline.Of(5 * time.Second)

// decidingTime bounds how long a request that billing refused waits for the member's other requests, and lookAgain is the time
// between two looks.
var (
	decidingTime = deadline.Of(2 * time.Second)
	lookAgain    = 50 * time.Millisecond
)

// Create holds the cost and starts the work. The same key with the same request answers the same
// meditation. Nothing is left behind when it is refused; when it is cut off in the middle, the
// sweep ends the hold, unless the same request was sent again and went on from there.
func (s *Service) Create(ctx context.Context, uid uuid.UUID, r Request) (Meditation, error) {
	m, err := s.create(ctx, uid, r)
	if err != nil {
		s.Metrics.Refused(ctx, errs.From(err).Word())
	}
	return m, err
}

func (s *Service) create(ctx context.Context, uid uuid.UUID, r Request) (Meditation, error) {
	m, err := s.planned(ctx, uid, r)
	if err != nil || m.State != Holding {
		return m, err
	}
	// The request counts even if the member leaves at once.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), createTime)
	defer cancel()
	running, wait := s.admission.admit(m.Expected)
	if running == 0 {
		return s.repeated(ctx, m, Busy(wait))
	}
	accepted := false
	defer func() { s.admission.release(m.Expected, accepted) }()
	found, err := s.start(ctx, m, running)
	accepted = err == nil && found.ID == m.ID
	if running < MaxRunning && errors.Is(err, ErrTooManyGenerations) {
		return Meditation{}, Busy(wait)
	}
	return found, err
}

// start makes the request work. Where billing says that the member has too few credits, what other requests hold may be on its way
// back: once these are decided it tries again, and that answer stands.
func (s *Service) start(ctx context.Context, m Meditation, running int) (Meditation, error) {
	started, err := s.try(ctx, m, running)
	if !errs.Has(err, errorsv1.Reason_REASON_INSUFFICIENT_CREDITS) {
		return started, err
	}
	s.awaitOthers(ctx, m.UID)
	return s.try(ctx, m, running)
}

// awaitOthers waits until those requests of the member that are undecided now are decided, for decidingTime at most. A request that
// was refused is discarded before it waits here, so no two wait for each other.
func (s *Service) awaitOthers(ctx context.Context, uid uuid.UUID) {
	since := s.Now().Add(-HoldTime)
	waiting, cancel := context.WithTimeout(ctx, decidingTime)
	defer cancel()
	others, err := s.Store.Undecided(waiting, uid, since)
	for left := others; err == nil && len(left) > 0; {
		if pause.For(waiting, lookAgain) != nil {
			return
		}
		left, err = s.Store.Undecided(waiting, uid, since)
		left = slices.DeleteFunc(left, func(id uuid.UUID) bool { return !slices.Contains(others, id) })
	}
	if err != nil && waiting.Err() == nil {
		s.Log.WarnContext(ctx, "cannot see whether credits come back", "uid", uid, "error", err)
	}
}

// try writes the request down, holds its cost and makes it work, of a member who has fewer than that running.
func (s *Service) try(ctx context.Context, m Meditation, running int) (Meditation, error) {
	found, err := s.begin(ctx, m, running)
	if err != nil || found.State != Holding {
		return found, err
	}
	held, err := s.hold(ctx, found)
	if err != nil {
		return Meditation{}, err
	}
	found.HoldID = held.ID
	queued, err := s.enqueue(ctx, found, running)
	queued.Balance = &held.Balance
	return queued, err
}

// repeated answers the meditation that the same request began before, or the refusal.
func (s *Service) repeated(ctx context.Context, m Meditation, refusal error) (Meditation, error) {
	found, err := s.Store.Requested(ctx, m.UID, m.Key)
	switch {
	case errors.Is(err, ErrNotFound):
		return Meditation{}, refusal
	case err != nil:
		return Meditation{}, err
	case !found.same(m.Request):
		return Meditation{}, ErrIdempotencyKeyReused
	}
	return found, nil
}

// planned makes the meditation that the request asks for, by a draft where it names one. Of a draft that the same request has used up
// it answers what was begun.
func (s *Service) planned(ctx context.Context, uid uuid.UUID, r Request) (Meditation, error) {
	if r.DraftID == uuid.Nil {
		return s.plan(ctx, uid, r)
	}
	begun, err := s.narrated(ctx, uid, r)
	if !errors.Is(err, ErrNotFound) {
		return begun, err
	}
	return s.planDraft(ctx, uid, r)
}

// plan checks the request and makes the meditation that it asks for.
func (s *Service) plan(ctx context.Context, uid uuid.UUID, r Request) (Meditation, error) {
	title, err := s.CheckTitle(r.Title)
	if err != nil {
		return Meditation{}, err
	}
	r.Title = title
	offer, err := s.Catalogue.Catalogue(ctx)
	if err != nil {
		return Meditation{}, err
	}
	if r, err = offer.admit(r); err != nil {
		return Meditation{}, err
	}
	kind, size := offer.Types[r.TypeID], offer.Sizes[r.SizeID]
	narrator, err := s.narratorFor(r, kind)
	if err != nil {
		return Meditation{}, err
	}
	now := s.Now().UTC().Truncate(time.Microsecond)
	if r.Day, err = dayOr(r.Day, now); err != nil {
		return Meditation{}, err
	}
	return Meditation{
		ID: s.NewID(), UID: uid, Request: r, State: Holding,
		Brief: Brief{
			MinWords: size.MinWords, MaxWords: size.MaxWords, Breaks: size.Breaks, Pause: size.Pause,
			Affirmations: kind.Affirmations,
		},
		NarratorID: narrator.ID, NarratorName: narrator.Name,
		Cost: Cost(r.Immersive), Expected: size.Expected,
		CreatedAt: now, Deadline: now.Add(Patience),
	}, nil
}

// dayOr checks the day; for an empty day it gives the date of now.
func dayOr(day string, now time.Time) (string, error) {
	if day == "" {
		return now.Format(time.DateOnly), nil
	}
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return "", ErrLocalDate.Because(err)
	}
	return day, nil
}

// narratorFor finds the narrator that the member asked for. Where the member asked for none, the default narrator speaks what is
// immersive, and the type's own narrator the rest.
func (s *Service) narratorFor(r Request, kind Type) (recording.Narrator, error) {
	switch {
	case r.AskedNarratorID != "":
		asked, known := s.Recorder.Narrator(r.AskedNarratorID)
		if !known {
			return recording.Narrator{}, ErrUnknownNarrator
		}
		if r.KeepInside && asked.Recipient != "" {
			return recording.Narrator{}, ErrNarratorOutside
		}
		return asked, nil
	case r.Immersive:
		return s.Recorder.DefaultNarrator(true), nil
	default:
		return s.preset(r, kind), nil
	}
}

// preset is the type's own narrator. The fallback of one who speaks outside speaks what is kept inside.
func (s *Service) preset(r Request, kind Type) recording.Narrator {
	preset := s.narrator(kind.NarratorID, false)
	if !r.KeepInside || preset.Recipient == "" {
		return preset
	}
	inside, _ := s.Recorder.Fallback(preset.ID) // each narrator who speaks outside has one
	return inside
}

// narrator finds the one named, or the default.
func (s *Service) narrator(id string, immersive bool) recording.Narrator {
	if n, known := s.Recorder.Narrator(id); known {
		return n
	}
	return s.Recorder.DefaultNarrator(immersive)
}

// admit refuses what is not offered, and gives the request as it is kept: with its language, and
// without the track of a voice-only meditation.
func (o Offer) admit(r Request) (Request, error) {
	if _, ok := o.Types[r.TypeID]; !ok {
		return r, ErrUnknownType
	}
	if !o.Practices[r.PracticeID] {
		return r, ErrUnknownPractice
	}
	if _, ok := o.Sizes[r.SizeID]; !ok {
		return r, ErrUnknownSize
	}
	if r.TrackID != "" && !o.Tracks[r.TrackID] {
		return r, ErrUnknownTrack
	}
	if r.Language != "" && !strings.EqualFold(r.Language, Language) {
		return r, ErrUnknownLanguage
	}
	r.Language = Language
	if !r.Immersive {
		r.TrackID = ""
	}
	return r, nil
}

// begin writes the request down, or finds what the same key began before.
func (s *Service) begin(ctx context.Context, m Meditation, running int) (Meditation, error) {
	found, err := s.Store.Begin(ctx, m, running)
	if err != nil {
		return Meditation{}, err
	}
	if !found.same(m.Request) {
		return Meditation{}, ErrIdempotencyKeyReused
	}
	return found, nil
}

// hold asks billing. Without an answer the row stays: it is what the sweep repairs.
func (s *Service) hold(ctx context.Context, m Meditation) (Hold, error) {
	asking, cancel := context.WithTimeout(ctx, holdTime)
	defer cancel()
	held, err := s.Credits.Hold(asking, m)
	switch {
	case err == nil:
		return held, nil
	case !refused(err):
		return Hold{}, ErrBillingAway.Because(err)
	}
	if derr := s.Store.Discard(ctx, m.ID); derr != nil {
		s.Log.WarnContext(ctx, "refused request stays until the sweep", "meditation", m.ID, "error", derr)
	}
	return Hold{}, err
}

// enqueue makes the held request work.
func (s *Service) enqueue(ctx context.Context, m Meditation, running int) (Meditation, error) {
	queued, err := s.Store.Enqueue(ctx, m, running, s.Now())
	switch {
	case err == nil:
		return queued, nil
	case errors.Is(err, ErrTooManyGenerations):
		s.reconcileNow(ctx, queued)
		return Meditation{}, err
	case !errors.Is(err, ErrLost):
		return Meditation{}, fmt.Errorf("enqueue %s: %w", m.ID, err)
	}
	// The same request, sent twice, overtook us; or the sweep gave it up just now.
	if again, gerr := s.Store.Get(ctx, m.UID, m.ID); gerr == nil {
		return again, nil
	}
	return Meditation{}, ErrTryAgain.Because(errors.Join(err, s.Credits.Release(ctx, m.UID, m.HoldID)))
}
