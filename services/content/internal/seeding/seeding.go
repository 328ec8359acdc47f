// Package seeding applies the editors' files (services/content/seed) to the content store. It reads Markdown and YAML,
// reports faults with file and line, and goes on with the other files. It applies a file that has changed since it was
// last applied, unless an editor has changed the entry since; the store decides that.
//
// It deletes nothing: an entry stays when its file is removed.
package seeding

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/metric"

	"serein.app/services/content/internal/entry"
	store "serein.app/services/content/internal/postgres"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/pause"
)

// Store is where contents go.
type Store interface {
	ApplyContentType(ctx context.Context, t entry.ContentType, hash []byte) error
	ApplyTag(ctx context.Context, environment string, t entry.Tag) error
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
		metric.WithDescription("Faults of the editors' files, each in the log with file and line"),
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

// Once applies what has changed, and says how many items that were. The error joins a FileError for each thing that is
// wrong with a file; the rest is applied. It stops where the store fails.
func (s *Seeder) Once(ctx context.Context) (applied int, err error) {
	contents, faults := Read(s.files)
	for _, step := range s.steps(ctx, contents) {
		changed, err := step.apply()
		if err = s.place(step.Place, err); err != nil {
			faults = append(faults, err)
		}
		if errors.Is(err, errStore) {
			break
		}
		if changed {
			applied++
		}
	}
	return applied, errors.Join(faults...)
}

// step is one thing to be applied, and where it stands.
type step struct {
	Place

	apply func() (changed bool, err error)
}

// steps are those of the contents, in their order: types and terms, which items have; files of assets; items.
func (s *Seeder) steps(ctx context.Context, c Contents) (all []step) {
	add := func(at Place, apply func() error) {
		all = append(all, step{at, func() (bool, error) { return false, apply() }})
	}
	for _, t := range c.Types {
		add(t.Place, func() error { return s.store.ApplyContentType(ctx, t.ContentType, t.Hash) })
	}
	for _, t := range c.Terms.Tags {
		add(t.Place, func() error { return s.store.ApplyTag(ctx, entry.Master, t.Term) })
	}
	for _, t := range c.Terms.Schemes {
		add(t.Place, func() error { return s.store.ApplyConceptScheme(ctx, t.Term) })
	}
	for _, t := range c.Terms.Concepts {
		add(t.Place, func() error { return s.store.ApplyConcept(ctx, t.Term) })
	}
	for _, f := range c.Files {
		add(f.Place, func() error { return s.keep(ctx, f.Name, f.Content) })
	}
	for _, i := range c.Items {
		all = append(all, step{i.Place, func() (bool, error) { return s.store.Apply(ctx, i.Seed) }})
	}
	return all
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
	switch errs.KindOf(err) { //nolint:exhaustive // the rest is no answer about the file
	case errs.Invalid, errs.FailedPrecondition, errs.NotFound, errs.Conflict:
		return true
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
