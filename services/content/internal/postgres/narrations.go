package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/content/internal/columns"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/narrate"
	"serein.app/services/content/internal/postgres/sqlcgen"
	"serein.app/services/platform/postgres"
)

// Narrator is who gives entries their sound.
var Narrator = entry.Actor{Name: "narrator"}

// maxCounted is the highest number of narrations of one kind that the metric counts.
const maxCounted = 10_000

var _ narrate.Store = (*Store)(nil)

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
	rows, err := s.queries.PublishedSince(ctx, s.db, sqlcgen.PublishedSinceParams{
		Environment: entry.Master, ContentType: contentType, After: after, Most: int32(most),
	})
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	return toAllPublished(rows)
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
	p, err := s.Published(ctx, entry.Key{Environment: row.Environment, Kind: entry.KindEntry, ID: row.ID})
	if errors.Is(err, entry.ErrNotFound) {
		return j, false, nil // it was taken from readers just now
	}
	return narrate.Job{Entry: p, Hash: row.Hash, Tries: int(row.Tries), NextTryAt: columns.Time(row.NextTryAt)}, err == nil, err
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
	key := j.Entry.Key
	return s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		row, err := s.queries.LockItem(ctx, tx, sqlcgen.LockItemParams{Environment: key.Environment, Kind: string(key.Kind), ID: key.ID})
		draft, err := found(row, err)
		if err != nil {
			return err
		}
		readers, err := s.queries.Published(ctx, tx, sqlcgen.PublishedParams{Environment: key.Environment, Kind: string(key.Kind), ID: key.ID})
		if errors.Is(err, pgx.ErrNoRows) || readers.Seq != j.Entry.Seq {
			return narrate.ErrChanged
		}
		if err != nil {
			return err
		}
		locales, err := s.locales(ctx, tx, key.Environment)
		if err != nil {
			return err
		}
		sound := soundFields(locales.Default(), file, length, j.Hash)
		if err := s.giveSound(ctx, tx, draft, j.Entry, sound); err != nil {
			return err
		}
		return s.queries.FinishNarration(ctx, tx, sqlcgen.FinishNarrationParams{Environment: key.Environment, ID: key.ID, Hash: j.Hash})
	})
}

// soundFields are the fields of articles and meditations that editors do not write. The duration is in whole seconds, cut off as a
// player's clock cuts them: a card and the player say the same.
func soundFields(locale, file string, length time.Duration, hash string) entry.Fields {
	return entry.Fields{
		"audio": {locale: file}, "duration": {locale: float64(int(length.Seconds()))}, "narrationHash": {locale: hash},
	}
}

// giveSound writes the fields into the draft and into what readers have. A draft that holds more than readers have
// gives them nothing but these.
func (s *Store) giveSound(ctx context.Context, tx pgx.Tx, draft entry.Item, readers entry.Published, sound entry.Fields) error {
	changed := draft.Changed()
	draft, err := draft.Change(s.now(), entry.Draft{Fields: merge(draft.Fields, sound), Tags: draft.Tags, Concepts: draft.Concepts})
	if err != nil {
		return err
	}
	if !changed {
		if err := s.save(ctx, tx, Narrator, draft, "update", nil); err != nil {
			return err
		}
		if draft, err = draft.Publish(s.now()); err != nil {
			return err
		}
		return s.save(ctx, tx, Narrator, draft, "publish", s.publish)
	}
	draft.Revision++
	seen := draft
	seen.Fields, seen.Tags, seen.Concepts = merge(readers.Fields, sound), readers.Tags, readers.Concepts
	return s.save(ctx, tx, Narrator, draft, "update", func(ctx context.Context, tx pgx.Tx, _ entry.Item) error {
		return s.publish(ctx, tx, seen)
	})
}

func merge(fields, more entry.Fields) entry.Fields {
	merged := maps.Clone(fields)
	maps.Copy(merged, more)
	return merged
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
	named, err := s.named(ctx, locale, file)
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	made, err := s.queries.MadeFor(ctx, s.db, sqlcgen.MadeForParams{File: file, Environment: entry.Master})
	if err != nil {
		return nil, postgres.Translate(err, nil)
	}
	entries, err := toAllPublished(append(named, made...))
	audio := make([]narrate.AudioEntry, len(entries))
	for i, e := range entries {
		audio[i] = narrate.AudioEntry{Published: e, Locale: locale}
	}
	return audio, err
}

func (s *Store) named(ctx context.Context, locale, file string) ([]sqlcgen.Published, error) {
	value, err := json.Marshal(entry.Fields{"audio": {locale: file}})
	if err != nil {
		return nil, err
	}
	return s.queries.EntriesWith(ctx, s.db, value)
}

// DefaultLocale of an environment.
func (s *Store) DefaultLocale(ctx context.Context, environment string) (string, error) {
	locales, err := s.locales(ctx, s.db, environment)
	return locales.Default(), postgres.Translate(err, nil)
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

func toAllPublished(rows []sqlcgen.Published) ([]entry.Published, error) {
	all := make([]entry.Published, len(rows))
	for i, row := range rows {
		var err error
		if all[i], err = toPublished(row); err != nil {
			return nil, err
		}
	}
	return all, nil
}
