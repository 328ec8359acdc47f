package narrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/pause"
)

const (
	// lookEvery is how soon what is published is seen, and leadEvery how soon another process goes on for one that died.
	lookEvery, leadEvery = 2 * time.Second, 5 * time.Second
	// The first wait between two questions to the narrator, and the longest: an event comes when it is ready.
	firstPoll, longestPoll = time.Second, 10 * time.Second
	// The first wait while the narrator is away, and the longest.
	firstAway, longestAway = 5 * time.Second, time.Minute
	// The first wait after a failure, and the longest; after mostTries nothing is tried before the words change.
	firstRetry, longestRetry = time.Minute, 6 * time.Hour
	mostTries                = 12
	// faultRetry is when it goes on with what failed without being refused, however often.
	faultRetry = 5 * time.Minute
	// mostSilent is how long a narration may speak no passage: others come before it then, and it goes on where it was.
	mostSilent = 15 * time.Minute
	// fetchTime bounds the fetching of a sound: 30 minutes of it are 15 MB.
	fetchTime = 5 * time.Minute
	// page of entries or files that is looked at.
	page = 100
	// tidyEvery file is looked at whether an entry names it.
	tidyEvery = 24 * time.Hour
)

// Places of what shall be narrated: lower ones first. An admin who made something in the workroom waits for it, and a reader for what
// they have opened: the store puts both before all that a first start narrates. Of what is published, meditations and articles take
// turns, and the meditations that Home offers come before others.
const (
	placeMade = iota
	placeIntro
	placePublished
)

// Run narrates until ctx ends, in one process at a time.
func (s *Service) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if _, err := s.Lead(ctx, s.work); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "narrating goes on later", "error", err)
		}
		_ = pause.For(ctx, leadEvery)
	}
	return nil
}

// work looks at all that readers get, narrates what has no sound, and looks at what changes, until ctx ends.
func (s *Service) work(ctx context.Context, alive func(context.Context) error) error {
	seen, away := map[string]int64{}, firstAway
	var tidied time.Time
	for ctx.Err() == nil {
		if err := errors.Join(alive(ctx), s.look(ctx, seen)); err != nil {
			return err
		}
		if s.Now().Sub(tidied) >= tidyEvery {
			if err := s.Tidy(ctx); err != nil {
				return err
			}
			tidied = s.Now()
		}
		switch did, err := s.once(ctx, alive); {
		case errors.Is(err, errAway):
			s.Log.WarnContext(ctx, "the narrator is away", "error", err, "retry_in", away)
			_ = pause.For(ctx, away)
			away = min(2*away, longestAway)
		case err != nil:
			return err
		default:
			away = firstAway
			if !did {
				s.wait(ctx, lookEvery)
			}
		}
	}
	return nil
}

// wait waits for a nudge, for that long at most.
func (s *Service) wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-s.nudged:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// look wants a narration of all that was published since it looked last.
func (s *Service) look(ctx context.Context, seen map[string]int64) error {
	locale, err := s.Store.DefaultLocale(ctx, entry.Master)
	if err != nil {
		return err
	}
	for _, t := range []string{typeMeditation, typeArticle} {
		for {
			entries, err := s.Store.PublishedSince(ctx, t, seen[t], page)
			if err != nil {
				return err
			}
			for _, p := range entries {
				if err := s.want(ctx, p, locale); err != nil {
					return err
				}
				seen[t] = p.Seq
			}
			if len(entries) < page {
				break
			}
		}
	}
	return nil
}

func (s *Service) want(ctx context.Context, p entry.Published, locale string) error {
	fields := texts{p.Fields, locale}
	made := fields.text("createdBy") != ""
	if s.Extent == Made && !made {
		return nil
	}
	script := s.Scripts.Of(p, locale)
	w := Want{Key: p.Key, Place: placePublished, Hash: script.Hash()}
	switch {
	case made:
		w.Place = placeMade
	case fields.is("intro"):
		w.Place = placeIntro
	}
	w.Done = fields.text("narrationHash") == w.Hash || len(script.Passages) == 0
	return s.Store.Want(ctx, w)
}

// errAway says that the narrator could not be asked, and errFault that it, or the store of sounds, failed at this entry.
var (
	errAway  = errors.New("the narrator is away")
	errFault = errors.New("the narrator has failed")
)

// once narrates what is next; it says false where nothing is due. Its error is errAway, the store's or ctx's.
func (s *Service) once(ctx context.Context, alive func(context.Context) error) (bool, error) {
	j, ok, err := s.Store.Next(ctx, s.last)
	if err != nil || !ok {
		return false, err
	}
	s.last = j.Entry.ContentType
	locale, err := s.Store.DefaultLocale(ctx, j.Entry.Environment)
	if err != nil {
		return false, err
	}
	script := s.Scripts.Of(j.Entry, locale)
	if script.Hash() != j.Hash {
		return false, nil // it has changed since we looked
	}
	err = s.narrate(ctx, j, script, alive)
	var refusal RefusalError
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case errors.Is(err, errFault):
		return true, s.fault(ctx, j, err)
	case errors.As(err, &refusal), errors.Is(err, errFailed), isRefusal(err):
		return true, s.fail(ctx, j, err)
	case errors.Is(err, ErrChanged):
		return true, nil
	}
	return true, err
}

// errFailed says that the narrator has given up.
var errFailed = errors.New("the narrator could not speak it")

// isRefusal says whether the store has looked at the entry and found that it cannot be published as it is.
func isRefusal(err error) bool {
	switch errs.KindOf(err) { //nolint:exhaustive // the rest is no answer about the entry
	case errs.Invalid, errs.FailedPrecondition, errs.NotFound, errs.Conflict:
		return true
	}
	return false
}

// fail waits longer each time, and after many tries for other words.
func (s *Service) fail(ctx context.Context, j Job, why error) error {
	j.Tries++
	j.NextTryAt = s.Now().Add(min(firstRetry<<min(j.Tries-1, 16), longestRetry))
	if j.Tries >= mostTries {
		j.NextTryAt = time.Time{}
	}
	s.Log.WarnContext(ctx, "an entry cannot be narrated", "entry", j.Entry.ID, "tries", j.Tries, "error", why)
	return s.Store.Postpone(ctx, j, Failed, why.Error())
}

// fault goes on with an entry later, and with others now: it may be the narrator's fault at all entries, or at this one alone. It
// counts as no try, since the words may well be right.
func (s *Service) fault(ctx context.Context, j Job, why error) error {
	j.NextTryAt = s.Now().Add(faultRetry)
	s.Log.WarnContext(ctx, "an entry is narrated later", "entry", j.Entry.ID, "retry_in", faultRetry, "error", why)
	return s.Store.Postpone(ctx, j, Failed, why.Error())
}

// narrate has one entry narrated, follows that and gives readers the sound.
func (s *Service) narrate(ctx context.Context, j Job, script Script, alive func(context.Context) error) error {
	status, err := s.Narrator.Start(ctx, j.Hash, script)
	spoken, since := 0, s.Now()
	for poll := firstPoll; ; poll = min(2*poll, longestPoll) {
		switch {
		case errors.Is(err, ErrUnknown):
			status, err = s.Narrator.Start(ctx, j.Hash, script)
			if err != nil {
				continue
			}
		case err != nil:
			return unanswered(err)
		case status.Stage == StageFailed:
			return fmt.Errorf("%w: %s", errFailed, status.Reason)
		case status.Stage == StageReady:
			err := s.keep(ctx, j, status)
			if !errors.Is(err, ErrUnknown) {
				return err
			}
			// The narrator has lost it, and makes it again.
		}
		if status.Done != spoken {
			spoken, since = status.Done, s.Now()
		}
		if s.Now().Sub(since) >= mostSilent {
			return fmt.Errorf("%w: nothing was spoken for %s", errFault, mostSilent)
		}
		if err := errors.Join(alive(ctx), s.Store.Progress(ctx, j, status.Done, status.Total)); err != nil {
			return err
		}
		s.wait(ctx, poll)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		status, err = s.Narrator.Get(ctx, j.Hash)
	}
}

// unanswered marks what is no refusal: nobody can be asked, or this failed.
func unanswered(err error) error {
	var refusal RefusalError
	if errors.As(err, &refusal) {
		return err
	}
	switch errs.KindOf(err) { //nolint:exhaustive // the rest may be about this entry alone
	case errs.Unavailable, errs.Unauthenticated, errs.Forbidden:
		return fmt.Errorf("%w: %w", errAway, err)
	}
	return fmt.Errorf("%w: %w", errFault, err)
}

// fetch keeps the sound as a file.
func (s *Service) fetch(ctx context.Context, j Job, file string, status Status) error {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	sound, err := s.Narrator.Sound(ctx, j.Hash)
	if errors.Is(err, ErrUnknown) {
		return err
	}
	if err != nil {
		return unanswered(err)
	}
	err = s.Blobs.Put(ctx, key(file), sound, status.Bytes)
	if err = errors.Join(err, sound.Close()); err != nil {
		return unanswered(err)
	}
	return nil
}

// mostWords bounds when the sentences of a sound are heard, in bytes: 500 passages of it are a tenth of that.
const mostWords = 4 << 20

// fetchWords keeps when each sentence is heard beside the sound. A narrator that does not say it has it made without.
func (s *Service) fetchWords(ctx context.Context, j Job, file string) error {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	words, err := s.Narrator.Words(ctx, j.Hash)
	if errors.Is(err, ErrUnknown) {
		return nil
	}
	if err != nil {
		return unanswered(err)
	}
	vtt, err := io.ReadAll(io.LimitReader(words, mostWords))
	if err = errors.Join(err, words.Close()); err != nil {
		return unanswered(err)
	}
	if err := s.Blobs.Put(ctx, key(wordsOf(file)), bytes.NewReader(vtt), int64(len(vtt))); err != nil {
		return unanswered(err)
	}
	return nil
}

// keep fetches the sound and gives it to readers.
func (s *Service) keep(ctx context.Context, j Job, status Status) error {
	file := fileOf(j.Hash)
	if err := s.fetch(ctx, j, file, status); err != nil {
		return err
	}
	if err := s.fetchWords(ctx, j, file); err != nil {
		return err
	}
	if err := s.Store.Keep(ctx, file, j.Entry.ID, status.Bytes); err != nil {
		return err
	}
	if err := s.Store.Finish(ctx, j, file, status.Length); err != nil {
		return err
	}
	s.Log.InfoContext(ctx, "an entry was narrated", "entry", j.Entry.ID, "length", status.Length, "bytes", status.Bytes)
	return nil
}

// Tidy looks at every file whether an entry names it, and removes what none has named for long enough. What cannot be removed is tried
// again the next time. Errors are the store's.
func (s *Service) Tidy(ctx context.Context) error {
	for after := ""; ; {
		files, err := s.Store.Files(ctx, after, page)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := s.tidy(ctx, f); err != nil {
				return err
			}
			after = f.Name
		}
		if len(files) < page {
			return nil
		}
	}
}

func (s *Service) tidy(ctx context.Context, f File) error {
	unnamed, now := f.Unnamed, s.Now()
	switch {
	case f.Named:
		unnamed = time.Time{}
	case unnamed.IsZero():
		unnamed = now
	case now.Sub(unnamed) >= KeptUnnamed:
		if err := errors.Join(s.Blobs.Delete(ctx, key(f.Name)), s.Blobs.Delete(ctx, key(wordsOf(f.Name)))); err != nil {
			s.failures.Add(ctx, 1)
			s.Log.WarnContext(ctx, "a sound that nothing names cannot be removed", "file", f.Name, "error", err)
			return ctx.Err()
		}
		return s.Store.Mark(ctx, f, true)
	}
	if unnamed.Equal(f.Unnamed) {
		return nil
	}
	f.Unnamed = unnamed
	return s.Store.Mark(ctx, f, false)
}
