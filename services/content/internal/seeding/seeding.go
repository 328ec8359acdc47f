// Package seeding brings the editors' files (services/content/seed) into the content store. It reads Markdown and
// YAML, names what is wrong with file and line, and goes on with the rest. What a file says is applied when it has
// changed since it was last applied, unless somebody has edited the entry meanwhile; the store decides that.
//
// It deletes nothing: the entry of a file that is gone stays.
package seeding

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/metric"

	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/pause"
)

// Store is where contents go.
type Store interface {
	ApplyContentType(ctx context.Context, t entry.ContentType, hash []byte) error
	ApplyTag(ctx context.Context, t entry.Tag) error
	ApplyConceptScheme(ctx context.Context, c entry.ConceptScheme) error
	ApplyConcept(ctx context.Context, c entry.Concept) error
	Apply(ctx context.Context, seed store.Seed) (applied bool, err error)
}

var _ Store = (*store.Store)(nil)

// retryAfter is how long it waits when the database is away.
const retryAfter = 5 * time.Second

// Seeder applies a set of files.
type Seeder struct {
	files fs.FS
	store Store
	keep  Keep
	log   *slog.Logger
	retry time.Duration
	wrong atomic.Int64 // faults of the files, as they were last applied
}

// Keep puts the file of an asset where files of assets are; one that is there already costs next to nothing.
type Keep func(ctx context.Context, name string, content []byte) error

// New makes a seeder of these files.
func New(files fs.FS, into Store, keep Keep, log *slog.Logger) *Seeder {
	return &Seeder{files: files, store: into, keep: keep, log: log, retry: retryAfter}
}

// Watch shows how many faults the files have.
func (s *Seeder) Watch(meter metric.Meter) error {
	_, err := meter.Int64ObservableGauge("serein.content.seed.faults", metric.WithUnit("{fault}"),
		metric.WithDescription("Faults of the editors' files, as they were last applied"),
		metric.WithInt64Callback(func(_ context.Context, o metric.Int64Observer) error {
			o.Observe(s.wrong.Load())
			return nil
		}))
	return err
}

// Run applies the files once, and tries again for as long as the database is away. Faults of files are in the
// log, one line each, and end nothing.
func (s *Seeder) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		applied, err := s.Once(ctx)
		s.tell(ctx, applied, err)
		if !errors.Is(err, errStore) {
			return nil
		}
		_ = pause.For(ctx, s.retry)
	}
	return nil
}

// errStore marks failures that are not the files'.
var errStore = errors.New("the store did not take it")

// Once applies what has changed, and says how much that was. The error joins a FileError for each thing that is
// wrong with a file; the rest is applied. It stops where the store fails.
func (s *Seeder) Once(ctx context.Context) (applied int, err error) {
	contents, faults := Read(s.files)
	for at, apply := range s.rules(contents) {
		if err := s.place(at, apply(ctx)); errors.Is(err, errStore) {
			return applied, errors.Join(append(faults, err)...)
		} else if err != nil {
			faults = append(faults, err)
		}
	}
	for _, f := range contents.Files {
		if err := s.place(f.Place, s.keep(ctx, f.Name, f.Content)); err != nil {
			return applied, errors.Join(append(faults, err)...)
		}
	}
	for _, item := range contents.Items {
		changed, err := s.store.Apply(ctx, item.Seed)
		if err = s.place(item.Place, err); errors.Is(err, errStore) {
			return applied, errors.Join(append(faults, err)...)
		} else if err != nil {
			faults = append(faults, err)
		}
		if changed {
			applied++
		}
	}
	return applied, errors.Join(faults...)
}

// rules are what entries stand on, in their order: content types, tags and the taxonomy.
func (s *Seeder) rules(c Contents) iter.Seq2[Place, func(context.Context) error] {
	return func(yield func(Place, func(context.Context) error) bool) {
		for _, t := range c.Types {
			if !yield(t.Place, func(ctx context.Context) error { return s.store.ApplyContentType(ctx, t.ContentType, t.Hash) }) {
				return
			}
		}
		for _, t := range c.Tags {
			if !yield(t.Place, func(ctx context.Context) error { return s.store.ApplyTag(ctx, t.Tag) }) {
				return
			}
		}
		for _, t := range c.Schemes {
			if !yield(t.Place, func(ctx context.Context) error { return s.store.ApplyConceptScheme(ctx, t.ConceptScheme) }) {
				return
			}
		}
		for _, t := range c.Concepts {
			if !yield(t.Place, func(ctx context.Context) error { return s.store.ApplyConcept(ctx, t.Concept) }) {
				return
			}
		}
	}
}

// place makes a refusal the fault of its file, and marks every other failure as the store's.
func (s *Seeder) place(p Place, err error) error {
	switch {
	case err == nil:
		return nil
	case isRefusal(err):
		return FileError{p, err}
	default:
		return fmt.Errorf("%w: %w", errStore, err)
	}
}

// isRefusal says whether the store has looked at what the file says and found it wrong.
func isRefusal(err error) bool {
	for _, refusal := range []error{
		entry.ErrTypeInvalid, entry.ErrTypeNotFound, entry.ErrArchived, entry.ErrInvalid, entry.ErrTermInvalid, entry.ErrNotFound,
	} {
		if errors.Is(err, refusal) {
			return true
		}
	}
	return false
}

func (s *Seeder) tell(ctx context.Context, applied int, err error) {
	if applied > 0 {
		s.log.InfoContext(ctx, "the editors' files were applied", "changed", applied)
	}
	wrong := int64(0)
	defer func() { s.wrong.Store(wrong) }()
	for _, fault := range unjoin(err) {
		if _, ok := errors.AsType[FileError](fault); ok {
			wrong++
		}
		if ctx.Err() == nil {
			s.log.WarnContext(ctx, "a file of the editors is not applied", "error", fault)
		}
	}
}

func unjoin(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}
