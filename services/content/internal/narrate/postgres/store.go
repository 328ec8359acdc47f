// Package postgres keeps what is to be narrated and how far each narration is, and the files of narrations.
package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/narrate"
	"serein.app/services/content/internal/narrate/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Narrator is who gives entries their sound.
var Narrator = entry.Actor{Name: "narrator"}

// maxCounted is the highest number of narrations of one kind that the metric counts.
const maxCounted = 10_000

var _ narrate.Store = (*Store)(nil)

// Entries is what narrations ask of the store of entries.
type Entries interface {
	// Entry is what readers get of one item. Errors: entry.ErrNotFound.
	Entry(ctx context.Context, db postgres.Queryer, key entry.Key) (entry.Published, error)
	// DefaultLocale of an environment.
	DefaultLocale(ctx context.Context, db postgres.Queryer, environment string) (string, error)
	// Since are what readers get of a content type in master, of those numbered above after, in the order of the numbers.
	Since(ctx context.Context, db postgres.Queryer, contentType string, after int64, most int) ([]entry.Published, error)
	// With are the entries that readers get with those values, in any environment.
	With(ctx context.Context, db postgres.Queryer, values entry.Fields) ([]entry.Published, error)
	// MadeFor is what readers of master get of the entry for which a narration was made, if they get it.
	MadeFor(ctx context.Context, db postgres.Queryer, file string) ([]entry.Published, error)
	// GiveSound writes fields into the draft of an entry and into what readers have of it, unless they have another version than the
	// one that was seen: then current is false. sound gives the fields in the environment's default locale.
	GiveSound(ctx context.Context, tx pgx.Tx, by entry.Actor, seen entry.Published, sound func(locale string) entry.Fields) (current bool, err error)
}

// Store is the narrations.
type Store struct {
	db      *pgxpool.Pool
	entries Entries
	queries *sqlcgen.Queries
	now     func() time.Time
}

// New makes the store. now gives the moment of every change, in whole microseconds of UTC.
func New(db *pgxpool.Pool, entries Entries, now func() time.Time) *Store {
	return &Store{db: db, entries: entries, queries: sqlcgen.New(), now: now}
}

// Narrations say how far the sound of each of these entries is that readers get in master. What is not known yet waits.
func (s *Store) Narrations(ctx context.Context, ids []string) (map[string]narrate.Progress, error) {
	rows, err := s.queries.Narrations(ctx, s.db, sqlcgen.NarrationsParams{Environment: entry.Master, Ids: ids})
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	found := make(map[string]narrate.Progress, len(ids))
	for _, id := range ids {
		found[id] = narrate.Progress{State: narrate.Waiting}
	}
	for _, row := range rows {
		found[row.ID] = narrate.Progress{State: narrate.State(row.State), Done: int(row.PassagesDone), Total: int(row.PassagesTotal)}
	}
	return found, nil
}

// CountNarrations says how many entries of a content type have no sound yet.
func (s *Store) CountNarrations(ctx context.Context, contentType string) (narrate.Counts, error) {
	row, err := s.queries.CountNarrations(ctx, s.db, sqlcgen.CountNarrationsParams{ContentType: contentType, Most: maxCounted})
	return narrate.Counts{Waiting: int(row.Waiting), Narrating: int(row.Narrating), Failed: int(row.Failed)}, postgres.Translate(err, nil)
}

// PublishedSince are what readers get of a content type in master, of those numbered above after.
func (s *Store) PublishedSince(ctx context.Context, contentType string, after int64, most int) ([]entry.Published, error) {
	published, err := s.entries.Since(ctx, s.db, contentType, after, most)
	return published, postgres.Translate(err, nil)
}

// Want says what shall be narrated of an entry.
func (s *Store) Want(ctx context.Context, w narrate.Want) error {
	state := narrate.Waiting
	if w.Done {
		state = narrate.Done
	}
	return postgres.Translate(s.queries.WantNarration(ctx, s.db, sqlcgen.WantNarrationParams{
		Environment: w.Environment, ID: w.ID, Place: int32(w.Place), Hash: w.Hash, State: string(state), Now: s.now(),
	}), nil)
}

// Next is what to narrate next, after an entry of the content type last.
func (s *Store) Next(ctx context.Context, last string) (j narrate.Job, ok bool, err error) {
	row, err := s.queries.NextNarration(ctx, s.db, sqlcgen.NextNarrationParams{Now: new(s.now()), Last: last})
	if errors.Is(err, pgx.ErrNoRows) {
		return j, false, nil
	}
	if err != nil {
		return j, false, postgres.Translate(err, nil)
	}
	p, err := s.entries.Entry(ctx, s.db, entry.Key{Environment: row.Environment, Kind: entry.KindEntry, ID: row.ID})
	if errors.Is(err, entry.ErrNotFound) {
		return j, false, nil // it was taken from readers just now
	}
	return narrate.Job{Entry: p, Hash: row.Hash, Tries: int(row.Tries), NextTryAt: columns.Time(row.NextTryAt)}, err == nil, postgres.Translate(err, nil)
}

// Opened says that a reader has opened an entry of master. Nothing is written unless it waits for its sound.
func (s *Store) Opened(ctx context.Context, id string) error {
	return postgres.Translate(s.queries.OpenNarration(ctx, s.db, sqlcgen.OpenNarrationParams{Environment: entry.Master, ID: id, Now: new(s.now())}), nil)
}

// Progress says how far a job is.
func (s *Store) Progress(ctx context.Context, j narrate.Job, done, total int) error {
	return postgres.Translate(s.queries.ProgressNarration(ctx, s.db, sqlcgen.ProgressNarrationParams{
		Environment: j.Entry.Environment, ID: j.Entry.ID, Hash: j.Hash, PassagesDone: int32(done), PassagesTotal: int32(total),
	}), nil)
}

// Postpone says that a job goes on later; the zero time is not before the words change.
func (s *Store) Postpone(ctx context.Context, j narrate.Job, state narrate.State, reason string) error {
	return postgres.Translate(s.queries.PostponeNarration(ctx, s.db, sqlcgen.PostponeNarrationParams{
		Environment: j.Entry.Environment, ID: j.Entry.ID, Hash: j.Hash, State: string(state), Tries: int32(j.Tries),
		FailureReason: reason, NextTryAt: columns.NullableTime(j.NextTryAt),
	}), nil)
}

// Keep says that a file is in the blob store.
func (s *Store) Keep(ctx context.Context, file, id string, bytes int64) error {
	return postgres.Translate(s.queries.KeepNarrationFile(ctx, s.db, sqlcgen.KeepNarrationFileParams{
		File: file, EntryID: id, Bytes: bytes, MadeAt: s.now(),
	}), nil)
}

// Finish gives readers the sound. Words that an editor has not published yet stay a draft.
func (s *Store) Finish(ctx context.Context, j narrate.Job, file string, length time.Duration) error {
	err := postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		current, err := s.entries.GiveSound(ctx, tx, Narrator, j.Entry, func(locale string) entry.Fields {
			return soundFields(locale, file, length, j.Hash)
		})
		if err != nil {
			return err
		}
		if !current {
			return narrate.ErrChanged
		}
		return s.queries.FinishNarration(ctx, tx, sqlcgen.FinishNarrationParams{Environment: j.Entry.Environment, ID: j.Entry.ID, Hash: j.Hash})
	})
	return entry.Refusal(postgres.Translate(err, nil))
}

// soundFields are the fields of articles and meditations that editors do not write. The duration is in whole seconds, cut off as a
// player's clock cuts them: a card and the player say the same.
func soundFields(locale, file string, length time.Duration, hash string) entry.Fields {
	return entry.Fields{
		"audio": {locale: file}, "duration": {locale: float64(int(length.Seconds()))}, "narrationHash": {locale: hash},
	}
}

// Lose says that the file of that hash is gone, and whether anything of it is made again.
func (s *Store) Lose(ctx context.Context, hash string) (bool, error) {
	n, err := s.queries.LoseNarration(ctx, s.db, sqlcgen.LoseNarrationParams{Hash: hash, Now: s.now()})
	return n > 0, postgres.Translate(err, nil)
}

// AudioEntries are the entries that name a file as their sound, in any environment, and the entry that the file was made for.
func (s *Store) AudioEntries(ctx context.Context, file string) ([]narrate.AudioEntry, error) {
	locale, err := s.DefaultLocale(ctx, entry.Master)
	if err != nil {
		return nil, err
	}
	named, err := s.entries.With(ctx, s.db, entry.Fields{"audio": {locale: file}})
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	made, err := s.entries.MadeFor(ctx, s.db, file)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	entries := append(named, made...)
	audio := make([]narrate.AudioEntry, len(entries))
	for i, e := range entries {
		audio[i] = narrate.AudioEntry{Published: e, Locale: locale}
	}
	return audio, nil
}

// DefaultLocale of an environment.
func (s *Store) DefaultLocale(ctx context.Context, environment string) (string, error) {
	locale, err := s.entries.DefaultLocale(ctx, s.db, environment)
	return locale, postgres.Translate(err, nil)
}

// Files are the narrations in the blob store, by name.
//
// Files that only the audit log names do not count. An earlier version that an editor restores keeps the draft's sound, and is
// narrated again when its words differ.
func (s *Store) Files(ctx context.Context, after string, most int) ([]narrate.File, error) {
	locale, err := s.DefaultLocale(ctx, entry.Master)
	if err != nil {
		return nil, err
	}
	rows, err := s.queries.NarrationFiles(ctx, s.db, sqlcgen.NarrationFilesParams{Locale: locale, After: after, Most: int32(most)})
	files := make([]narrate.File, len(rows))
	for i, row := range rows {
		files[i] = narrate.File{Name: row.File, Named: row.Named, Unnamed: columns.Time(row.UnnamedAt)}
	}
	return files, postgres.Translate(err, nil)
}

// Mark says since when no entry names a file, and whether it was removed.
func (s *Store) Mark(ctx context.Context, f narrate.File, removed bool) error {
	return postgres.Translate(s.queries.MarkNarrationFile(ctx, s.db, sqlcgen.MarkNarrationFileParams{
		File: f.Name, UnnamedAt: columns.NullableTime(f.Unnamed), Removed: removed,
	}), nil)
}
