package publication

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/generation/internal/recording"
	"serein.app/services/generation/internal/recovery"
	"serein.app/services/platform/blob"
)

// ErrLost says that another attempt owns the work by now.
var ErrLost = meditation.ErrLost

// Ports are what the service needs from outside. All are required.
type Ports struct {
	Store    Store
	Recorder Recorder
	Members  Members
	Blobs    blob.Store
	Notifier Notifier
	Metrics  Metrics
	Now      func() time.Time
	Log      *slog.Logger
}

// Service answers the content service. It is safe for concurrent use.
type Service struct {
	Ports

	speaking chan struct{}
}

// New makes a Service. Nothing is narrated before a Worker runs.
func New(p Ports) *Service { return &Service{Ports: p, speaking: make(chan struct{}, speakers)} }

// Start takes a script on, or answers how far the one of its id is.
func (s *Service) Start(ctx context.Context, r Request) (Narration, error) {
	narrator, err := s.narrator(r.NarratorID, r.Immersive)
	if err != nil {
		return Narration{}, err
	}
	if !speakable(r.Passages...) {
		return Narration{}, ErrNoWords
	}
	n := Narration{
		ID: r.ID, RequestHash: r.hash(), NarratorID: narrator.ID, NarratorName: narrator.Name,
		Passages: r.Passages, State: Waiting,
	}
	n.Total = len(s.Recorder.BackgroundSegments(recording.Script{Passages: n.Passages}))
	return s.Store.StartNarration(ctx, n, s.Now().UTC())
}

// speakable says whether there are sentences, and words in each.
func speakable(passages ...recording.Passage) bool {
	sentences := 0
	for _, p := range passages {
		sentences += len(p.Sentences)
		if slices.ContainsFunc(p.Sentences, func(sentence string) bool { return strings.TrimSpace(sentence) == "" }) {
			return false
		}
	}
	return sentences > 0
}

func (s *Service) narrator(id string, immersive bool) (recording.Narrator, error) {
	if id == "" {
		return s.Recorder.DefaultNarrator(immersive), nil
	}
	n, known := s.Recorder.Narrator(id)
	if !known {
		return n, ErrNarrator
	}
	return n, nil
}

// Get says how far a narration is.
func (s *Service) Get(ctx context.Context, id string) (Narration, error) {
	return s.Store.Narration(ctx, id)
}

// OpenAudio opens the sound of one that is ready; ErrNotFound before that. What the blob store has lost is made again.
func (s *Service) OpenAudio(ctx context.Context, id string) (io.ReadSeekCloser, error) {
	n, err := s.Store.Narration(ctx, id)
	if err != nil {
		return nil, err
	}
	if n.State != Ready {
		return nil, ErrNotFound
	}
	file, _, err := s.Blobs.Open(ctx, audioKey(id))
	if errors.Is(err, blob.ErrNotFound) {
		s.Log.ErrorContext(ctx, "the sound of a narration is lost and made again", "narration", id)
		return nil, errors.Join(ErrNotFound, s.Store.LoseNarration(ctx, id))
	}
	return file, err
}

// OpenWords opens the WebVTT that says when each sentence of one that is ready is heard; ErrNotFound before that, and where it was made
// without it.
func (s *Service) OpenWords(ctx context.Context, id string) (io.ReadSeekCloser, error) {
	n, err := s.Store.Narration(ctx, id)
	if err != nil {
		return nil, err
	}
	if n.State != Ready {
		return nil, ErrNotFound
	}
	file, _, err := s.Blobs.Open(ctx, wordsKey(id))
	if errors.Is(err, blob.ErrNotFound) {
		return nil, ErrNotFound
	}
	return file, err
}

// Spoken is a passage with its sound.
type Spoken struct {
	MP3      []byte
	Duration time.Duration
	Narrator recording.Narrator
}

// Speak narrates a passage at once, for somebody who waits, and keeps nothing. It takes its turn among members'
// meditations: meditation.ErrBusy where there is no time for it.
func (s *Service) Speak(ctx context.Context, narratorID string, immersive bool, p recording.Passage) (spoken Spoken, err error) {
	if spoken.Narrator, err = s.narrator(narratorID, immersive); err != nil {
		return Spoken{}, err
	}
	words, characters := 0, 0
	for _, sentence := range p.Sentences {
		words += len(strings.Fields(sentence))
		characters += utf8.RuneCountInString(sentence)
	}
	switch {
	case characters > longestPassage:
		return Spoken{}, ErrTooLong
	case !speakable(p):
		return Spoken{}, ErrNoWords
	}
	select {
	case s.speaking <- struct{}{}:
		defer func() { <-s.speaking }()
	default:
		return Spoken{}, meditation.Busy(speakingTime / speakers)
	}
	sound := time.Duration(float64(words)/spoken.Narrator.WordsPerMinute*float64(time.Minute)) + p.Pause
	release, err := s.Members.Admit(ctx, sound)
	if err != nil {
		return Spoken{}, err
	}
	defer release()
	return spoken, s.speak(ctx, &spoken, p)
}

func (s *Service) speak(ctx context.Context, spoken *Spoken, p recording.Passage) (err error) {
	defer recovery.ToError(&err)
	bounded, cancel := context.WithTimeout(ctx, speakingTime)
	defer cancel()
	script := recording.Script{Passages: recording.ByNoMember([]recording.Passage{p})}
	err = s.Recorder.Record(bounded, spoken.Narrator.ID, script, 0, 0, func(segment recording.Segment, mp3 []byte) error {
		spoken.MP3 = append(spoken.MP3, mp3...)
		spoken.Duration += segment.Duration
		return nil
	})
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		return meditation.Busy(speakingTime)
	}
	return err
}

// Sweep removes the sound of what ended a week ago.
func (s *Service) Sweep(ctx context.Context) error {
	before := s.Now().Add(-KeptFor)
	ids, err := s.Store.UntidyNarrations(ctx, before)
	faults := []error{err}
	for _, id := range ids {
		if err := s.Blobs.DeleteFolder(ctx, folder(id)); err != nil {
			faults = append(faults, err)
			continue
		}
		faults = append(faults, s.Store.NarrationTidied(ctx, id, before))
	}
	return errors.Join(faults...)
}
