package narrate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"time"

	"go.opentelemetry.io/otel/metric"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	"serein.app/services/content/internal/entry"
	"serein.app/services/platform/auth"
	"serein.app/services/platform/blob"
	"serein.app/services/platform/errs"
)

// The content types that are narrated.
const (
	typeArticle    = "article"
	typeMeditation = "meditation"
)

// Stage of a narration at the narrator's.
type Stage int

// The stages.
const (
	StageWaiting Stage = iota
	StageNarrating
	StageReady
	StageFailed
)

// Status is how far the narrator is.
type Status struct {
	Stage       Stage
	Done, Total int
	Length      time.Duration
	Bytes       int64
	Reason      string
}

// RefusalError says that the narrator does not take a script, however often it is asked.
type RefusalError struct{ Because error }

func (r RefusalError) Error() string { return "the narrator refuses: " + r.Because.Error() }

// Unwrap gives the narrator's own words.
func (r RefusalError) Unwrap() error { return r.Because }

// ErrUnknown says that the narrator knows no such narration, or has its sound no more.
var ErrUnknown = errors.New("the narrator knows no such narration")

// Narrator is the generation service. It says that it is away by errors of the kinds Unavailable, Unauthenticated and
// Forbidden. Any other that is no RefusalError may be about one script alone.
type Narrator interface {
	// Start takes a script on under an id; again it answers how far it is, and tries again what has failed.
	Start(ctx context.Context, id string, s Script) (Status, error)
	// Get answers how far it is; ErrUnknown.
	Get(ctx context.Context, id string) (Status, error)
	// Sound gives the MP3 of what is ready; ErrUnknown.
	Sound(ctx context.Context, id string) (io.ReadCloser, error)
	// Words gives the WebVTT that says when each sentence of it is heard; ErrUnknown, also where it was made without.
	Words(ctx context.Context, id string) (io.ReadCloser, error)
}

// Scope says which published texts are narrated.
type Scope string

// All published texts, those made in the studio alone, or none. Narrations that wait already are made with "made" too.
const (
	All  Scope = "all"
	Made Scope = "made"
	None Scope = "none"
)

// UnmarshalText takes one of the three.
func (s *Scope) UnmarshalText(text []byte) error {
	switch asked := Scope(text); asked {
	case All, Made, None:
		*s = asked
		return nil
	}
	return fmt.Errorf("%q is none of all, made, none", text)
}

// Ports are the dependencies of the service. All are required but Scope; an empty Scope means All.
type Ports struct {
	Store    Store
	Narrator Narrator
	Blobs    blob.Store
	Scripts  Scripts
	Scope    Scope
	// Lead does work while this process alone does it, and says whether it did. alive fails once that is over.
	Lead func(ctx context.Context, work func(ctx context.Context, alive func(context.Context) error) error) (bool, error)
	Now  func() time.Time
	Log  *slog.Logger
}

// Service narrates and gives out what it has. It is safe for concurrent use.
type Service struct {
	Ports

	nudged chan struct{}
	// last is the content type of the latest narration. Only runLeader and the functions that it calls use it.
	last     string
	failures metric.Int64Counter
}

// New makes a Service, which counts the files that it could not remove. Nothing is narrated before Run.
func New(p Ports, meter metric.Meter) (*Service, error) {
	failures, err := meter.Int64Counter("serein.content.narrations.failures", metric.WithUnit("{file}"),
		metric.WithDescription("Sounds that nothing names and that the store of sounds could not remove; tried again every day"))
	return &Service{Ports: p, nudged: make(chan struct{}, 1), failures: failures}, err
}

// Nudge says that something may have changed at the narrator's, or for readers.
func (s *Service) Nudge() {
	select {
	case s.nudged <- struct{}{}:
	default:
	}
}

// Opened has an entry narrated before others, since a reader has opened it and finds no sound. A reader gets the page in any case: an
// error is logged.
func (s *Service) Opened(ctx context.Context, id string) {
	if err := s.Store.Opened(ctx, id); err != nil {
		s.Log.WarnContext(ctx, "an entry that was opened is not narrated earlier", "entry", id, "error", err)
	}
}

// ErrNotYet says that the sound is made again, since the store has lost it.
var ErrNotYet = errs.New(errs.Unavailable, errorsv1.Reason_REASON_UNAVAILABLE, "The narration will be here in a while. Please try again.")

var fileName = regexp.MustCompile(`^[0-9a-f]{32}\.(mp3|vtt)$`)

// Of a narration, the sound, and the WebVTT that says when each sentence is heard. Both are as long.
const (
	extension      = ".mp3"
	wordsExtension = ".vtt"
)

func fileOf(hash string) string  { return hash + extension }
func hashOf(file string) string  { return file[:len(file)-len(extension)] }
func wordsOf(file string) string { return hashOf(file) + wordsExtension }
func key(file string) string     { return "narrations/" + file }

// Open opens the sound of that name, or the times of its sentences, for a caller who may hear it. It returns blob.ErrNotFound to other
// callers, and for the sentence times of a narration without these. ErrNotYet: the blob store has lost the sound.
func (s *Service) Open(ctx context.Context, who auth.Subject, file string) (io.ReadSeekCloser, error) {
	if !fileName.MatchString(file) {
		return nil, blob.ErrNotFound
	}
	entries, err := s.Store.AudioEntries(ctx, fileOf(hashOf(file)))
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(entries, func(e AudioEntry) bool { return e.audibleTo(who) }) {
		return nil, blob.ErrNotFound
	}
	sound, _, err := s.Blobs.Open(ctx, key(file))
	if !errors.Is(err, blob.ErrNotFound) || file == wordsOf(file) {
		return sound, err
	}
	again, lerr := s.Store.Lose(ctx, hashOf(file))
	if lerr != nil {
		return nil, lerr
	}
	if !again {
		return nil, blob.ErrNotFound
	}
	s.Log.ErrorContext(ctx, "the sound of a narration is lost and made again", "file", file)
	s.Nudge()
	return nil, ErrNotYet
}

// AudioEntry is an entry whose sound a caller asks for.
type AudioEntry struct {
	entry.Published

	Locale string
}

// audibleTo says whether who may hear the sound. Every caller may hear open articles; other articles and meditations need an
// entitlement. Unverified meditations and entries of other environments are for admins alone.
func (e AudioEntry) audibleTo(who auth.Subject) bool {
	fields := texts{e.Fields, e.Locale}
	switch {
	case who.Admin:
		return true
	case e.Environment != entry.Master:
		return false
	case e.ContentType == typeArticle:
		return fields.is("open") || who.Entitled("articles")
	case e.ContentType == typeMeditation:
		return fields.is("verified") && who.Entitled("library")
	}
	return false
}
