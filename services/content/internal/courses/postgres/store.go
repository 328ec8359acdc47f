// Package postgres keeps which courses members take, and which days are done.
package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/courses"
	"serein.app/services/content/internal/courses/postgres/sqlcgen"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/reading"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/postgres"
)

// Entries is what the store asks of the store of entries.
type Entries interface {
	// DefaultLocale of an environment.
	DefaultLocale(ctx context.Context, db postgres.Queryer, environment string) (string, error)
	// Entries are those of master with these ids, in no order.
	Entries(ctx context.Context, db postgres.Queryer, ids []string) ([]entry.Published, error)
}

// Store is members' progress.
type Store struct {
	db      *pgxpool.Pool
	entries Entries
	queries *sqlcgen.Queries
}

// New makes the store.
func New(db *pgxpool.Pool, entries Entries) *Store {
	return &Store{db: db, entries: entries, queries: sqlcgen.New()}
}

// Progress is a member's on all courses, the last touched first.
func (s *Store) Progress(ctx context.Context, uid uuid.UUID) (courses.All, error) {
	all, _, err := s.progress(ctx, s.db, uid)
	return all, postgres.Translate(err, nil)
}

// progress also says how the next change is numbered.
func (s *Store) progress(ctx context.Context, db sqlcgen.DBTX, uid uuid.UUID) (all courses.All, next int64, err error) {
	rows, err := s.queries.Progress(ctx, db, uid)
	for _, row := range rows {
		all, next = append(all, courses.Progress{Course: row.Course, Done: row.Done, Turn: row.Turn}), max(next, row.Touched)
	}
	return all, next + 1, err
}

// Start begins a course; over has no day done. published are the ids of all courses that readers get. Errors: courses.ErrFull.
func (s *Store) Start(ctx context.Context, uid uuid.UUID, course string, over bool, published []string) error {
	return s.change(ctx, uid, func(ctx context.Context, tx pgx.Tx, all courses.All) (courses.Progress, bool, error) {
		if p, taken := all.Of(course); taken {
			return courses.Progress{Course: course, Turn: p.Turn}, over && len(p.Done) > 0, nil
		}
		if all.Full(published) {
			return courses.Progress{}, false, courses.ErrFull
		}
		err := s.queries.LeaveCourses(ctx, tx, sqlcgen.LeaveCoursesParams{Uid: uid, Courses: all.Surplus(published)})
		return courses.Progress{Course: course}, true, err
	})
}

// Mark says whether a day is done. Errors: courses.ErrNotStarted, for one that is done.
func (s *Store) Mark(ctx context.Context, uid uuid.UUID, course, day string, done bool) error {
	return s.change(ctx, uid, func(_ context.Context, _ pgx.Tx, all courses.All) (courses.Progress, bool, error) {
		switch p, taken := all.Of(course); {
		case !taken && done:
			return p, false, courses.ErrNotStarted
		case p.Did(day) == done:
			return p, false, nil
		case done:
			return p.With(day), true, nil
		default:
			return p.Without(day), true, nil
		}
	})
}

// Leave forgets a course.
func (s *Store) Leave(ctx context.Context, uid uuid.UUID, course string) error {
	return postgres.Translate(s.queries.LeaveCourses(ctx, s.db, sqlcgen.LeaveCoursesParams{Uid: uid, Courses: []string{course}}), nil)
}

// Heard marks a day of each course that the member takes and that leads to an item which was heard to its end. turn is that of the
// listening: the same again marks nothing.
func (s *Store) Heard(ctx context.Context, uid uuid.UUID, item reading.Item, turn int64) error {
	taken, err := s.Progress(ctx, uid)
	if err != nil || len(taken) == 0 { // most members take no course
		return err
	}
	return postgres.Translate(postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
			return err
		}
		all, next, err := s.progress(ctx, tx, uid)
		if err != nil {
			return err
		}
		published, err := s.published(ctx, tx, all)
		if err != nil {
			return err
		}
		for _, c := range published {
			p, _ := all.Of(c.ID)
			after, changed := p.Heard(c, item, turn)
			if !changed {
				continue
			}
			if err := s.set(ctx, tx, uid, after, next); err != nil {
				return err
			}
			next++
		}
		return nil
	}), nil)
}

// published are those of the courses that readers get.
func (s *Store) published(ctx context.Context, tx pgx.Tx, of courses.All) ([]courses.Course, error) {
	ids := make([]string, len(of))
	for i, p := range of {
		ids[i] = p.Course
	}
	locale, err := s.entries.DefaultLocale(ctx, tx, entry.Master)
	if err != nil {
		return nil, err
	}
	found, err := s.entries.Entries(ctx, tx, ids)
	all := make([]courses.Course, len(found))
	for i, p := range found {
		all[i] = courses.Of(reading.PageOf(p, locale))
	}
	return all, err
}

// ForgetMember removes the progress of a member whose account was deleted, and waits for what is under way.
func (s *Store) ForgetMember(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
		return err
	}
	return s.queries.DeleteProgress(ctx, tx, uid)
}

// change writes what decide makes of a member's progress. A member's changes come one after the other.
func (s *Store) change(
	ctx context.Context, uid uuid.UUID, decide func(context.Context, pgx.Tx, courses.All) (after courses.Progress, changed bool, err error),
) error {
	return postgres.Translate(postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockMember(ctx, tx, uid.String()); err != nil {
			return err
		}
		all, next, err := s.progress(ctx, tx, uid)
		if err != nil {
			return err
		}
		after, changed, err := decide(ctx, tx, all)
		if err != nil || !changed {
			return err
		}
		return s.set(ctx, tx, uid, after, next)
	}), nil)
}

func (s *Store) set(ctx context.Context, tx pgx.Tx, uid uuid.UUID, p courses.Progress, touched int64) error {
	return s.queries.SetProgress(ctx, tx, sqlcgen.SetProgressParams{
		Uid: uid, Course: p.Course, Done: columns.List(p.Done), Touched: touched, Turn: p.Turn, Member: erasure.Fingerprint(uid),
	})
}
