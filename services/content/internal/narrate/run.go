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
	// lookEvery is how often the leader looks for published entries, and leadEvery how often other processes try to become the leader.
	lookEvery, leadEvery = 2 * time.Second, 5 * time.Second
	// The first and the longest wait between two polls of the narrator. An event also announces a finished narration.
	firstPoll, longestPoll = time.Second, 10 * time.Second
	// The first and the longest wait while the narrator is unavailable.
	firstAway, longestAway = 5 * time.Second, time.Minute
	// The first and the longest wait after a failure. After maxAttempts the entry is not tried again until its words change.
	firstRetry, longestRetry = time.Minute, 6 * time.Hour
	maxAttempts              = 12
	// faultRetry is the wait before an entry that failed without a refusal is tried again, without a limit of attempts.
	faultRetry = 5 * time.Minute
	// maxSilent is how long a narration may finish no passage. After that others come first, and it continues later.
	maxSilent = 15 * time.Minute
	// fetchTime bounds the download of a sound: 30 minutes of sound are 15 MB.
	fetchTime = 5 * time.Minute
	// page is how many entries or files one query reads.
	page = 100
	// tidyEvery is how often Tidy checks which files no entry names.
	tidyEvery = 24 * time.Hour
)

// Places order the narrations, lower ones first. Admins wait for what they made in the studio, and readers for what they have opened: the
// store puts both before everything that a first start narrates. Published meditations and articles take turns, and the meditations
// that Home offers come before others.
const (
	placeMade = iota
	placeIntro
	placePublished
)

// Run narrates until ctx ends, in one process at a time.
func (s *Service) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if _, err := s.Lead(ctx, s.runLeader); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "narrating goes on later", "error", err)
		}
		_ = pause.For(ctx, leadEvery)
	}
	return nil
}

// runLeader enqueues the published entries, narrates those without a sound, and follows further publications, until ctx ends.
func (s *Service) runLeader(ctx context.Context, alive func(context.Context) error) error {
	seen, away := map[string]int64{}, firstAway
	var tidied time.Time
	for ctx.Err() == nil {
		if err := errors.Join(alive(ctx), s.enqueuePublished(ctx, seen)); err != nil {
			return err
		}
		if s.Now().Sub(tidied) >= tidyEvery {
			if err := s.Tidy(ctx); err != nil {
				return err
			}
			tidied = s.Now()
		}
		switch did, err := s.processNext(ctx, alive); {
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

// wait waits for a nudge, at most d.
func (s *Service) wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-s.nudged:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// enqueuePublished adds a job for every entry that was published since its last call. seen is the last number by content type.
func (s *Service) enqueuePublished(ctx context.Context, seen map[string]int64) error {
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
				if err := s.upsertJob(ctx, p, locale); err != nil {
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

func (s *Service) upsertJob(ctx context.Context, p entry.Published, locale string) error {
	fields := texts{p.Fields, locale}
	made := fields.text("createdBy") != ""
	if s.Scope == Made && !made {
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

// errAway: the narrator is unavailable. errFault: the narrator or the blob store failed at this entry.
var (
	errAway  = errors.New("the narrator is away")
	errFault = errors.New("the narrator has failed")
)

// processNext narrates the next entry. It returns false when nothing is due. Its error is errAway, the store's or ctx's.
func (s *Service) processNext(ctx context.Context, alive func(context.Context) error) (bool, error) {
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
		return false, nil // it has changed since enqueuePublished read it
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

// errFailed: the narrator has given up on the script.
var errFailed = errors.New("the narrator could not speak it")

// isRefusal says whether the store has checked the entry and refuses to publish it as it is.
func isRefusal(err error) bool {
	switch errs.KindOf(err) { //nolint:exhaustive // the rest is no answer about the entry
	case errs.Invalid, errs.FailedPrecondition, errs.NotFound, errs.Conflict:
		return true
	}
	return false
}

// fail postpones the entry: longer each time, and after maxAttempts until its words change.
func (s *Service) fail(ctx context.Context, j Job, why error) error {
	j.Tries++
	j.NextTryAt = s.Now().Add(min(firstRetry<<min(j.Tries-1, 16), longestRetry))
	if j.Tries >= maxAttempts {
		j.NextTryAt = time.Time{}
	}
	s.Log.WarnContext(ctx, "an entry cannot be narrated", "entry", j.Entry.ID, "tries", j.Tries, "error", why)
	return s.Store.Postpone(ctx, j, Failed, why.Error())
}

// fault postpones the entry and lets others go first, since the narrator may fail at all entries or at this one alone. It does not count
// as an attempt, because the words may be right.
func (s *Service) fault(ctx context.Context, j Job, why error) error {
	j.NextTryAt = s.Now().Add(faultRetry)
	s.Log.WarnContext(ctx, "an entry is narrated later", "entry", j.Entry.ID, "retry_in", faultRetry, "error", why)
	return s.Store.Postpone(ctx, j, Failed, why.Error())
}

// narrate starts one narration, polls it and publishes the sound.
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
			// The narrator has lost the sound and makes it again.
		}
		if status.Done != spoken {
			spoken, since = status.Done, s.Now()
		}
		if s.Now().Sub(since) >= maxSilent {
			return fmt.Errorf("%w: nothing was spoken for %s", errFault, maxSilent)
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

// unanswered marks an error that is no refusal as errAway or errFault.
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

// fetch downloads the sound into the blob store.
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

// maxWords bounds the file of a sound's sentence times, in bytes. 500 passages take a tenth of it.
const maxWords = 4 << 20

// fetchWords stores the time of each sentence beside the sound. A narrator without these times leaves the sound without.
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
	vtt, err := io.ReadAll(io.LimitReader(words, maxWords))
	if err = errors.Join(err, words.Close()); err != nil {
		return unanswered(err)
	}
	if err := s.Blobs.Put(ctx, key(wordsOf(file)), bytes.NewReader(vtt), int64(len(vtt))); err != nil {
		return unanswered(err)
	}
	return nil
}

// keep downloads the sound and publishes it.
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

// Tidy checks for every file whether an entry names it, and removes files that no entry has named for KeptUnnamed. It tries a file that
// it could not remove again the next time. Errors are the store's.
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
