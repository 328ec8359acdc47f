// Package studio makes meditations of the library and articles of what admins write, says how far they are, and takes
// their word on what members may hear. It checks what is made against the catalogue, finds its categories and names it;
// the store publishes it, and package narrate gives it its sound.
package studio

import (
	"context"
	"time"

	"serein.app/services/content/internal/catalogue"
	"serein.app/services/content/internal/classify"
	"serein.app/services/content/internal/entry"
	"serein.app/services/content/internal/narrate"
	store "serein.app/services/content/internal/postgres"
)

// Content types of what is made.
const (
	Meditation = "meditation"
	Article    = "article"
)

// Store keeps what is made.
type Store interface {
	Make(ctx context.Context, by entry.Actor, key entry.Key, contentType string, d entry.Draft) (entry.Item, error)
	Item(ctx context.Context, key entry.Key) (entry.Item, error)
	FieldsOf(ctx context.Context, key entry.Key, version int) (entry.Fields, error)
	Locales(ctx context.Context, environment string) (entry.Locales, error)
	Made(ctx context.Context, environment string, after store.Cursor, most int) ([]entry.Item, error)
	Unverified(ctx context.Context, environment string) (int, error)
	Verify(ctx context.Context, by entry.Actor, key entry.Key, version int) (entry.Item, error)
	Remove(ctx context.Context, by entry.Actor, key entry.Key) (entry.Item, error)
	Restore(ctx context.Context, by entry.Actor, key entry.Key) (entry.Item, error)
}

// Sounds says how far the narration of each of these entries is, by id.
type Sounds interface {
	Narrations(ctx context.Context, ids []string) (map[string]narrate.Progress, error)
}

// Studio is the workroom.
type Studio struct {
	store      Store
	sounds     Sounds
	offer      catalogue.Catalogue
	classifier *classify.Classifier
	types      classify.Types
	now        func() time.Time
}

// New makes the workroom of a house with that offer.
func New(s Store, sounds Sounds, offer catalogue.Catalogue, c *classify.Classifier, types classify.Types, now func() time.Time) *Studio {
	return &Studio{s, sounds, offer, c, types, now}
}

func key(id string) entry.Key {
	return entry.Key{Environment: entry.Master, Kind: entry.KindEntry, ID: id}
}

// locale that the studio writes in.
func (s *Studio) locale(ctx context.Context) (string, error) {
	locales, err := s.store.Locales(ctx, entry.Master)
	return locales.Default(), err
}

// List is one page of what was made and is not done with, and the locale of its texts.
func (s *Studio) List(ctx context.Context, after store.Cursor, most int) (made []entry.Item, locale string, err error) {
	if locale, err = s.locale(ctx); err != nil {
		return nil, "", err
	}
	made, err = s.store.Made(ctx, entry.Master, after, most)
	return made, locale, err
}

// Unverified is how many meditations wait for verification.
func (s *Studio) Unverified(ctx context.Context) (int, error) {
	return s.store.Unverified(ctx, entry.Master)
}

// Verify lets members hear a meditation that has its sound; one that they may hear already stays. Errors:
// entry.ErrNotFound, ErrNotNarrated.
func (s *Studio) Verify(ctx context.Context, by entry.Actor, id string) (item entry.Item, locale string, err error) {
	if item, locale, err = s.meditation(ctx, id); err != nil {
		return item, locale, err
	}
	switch {
	case item.PublishedVersion == 0:
		return item, locale, entry.ErrNotFound
	case item.Changed(): // the words that would be published have no sound yet
		return item, locale, ErrNotNarrated
	case item.Fields["verified"][locale] == true:
		return item, locale, nil
	}
	sounds, err := s.Narrations(ctx, item)
	if err != nil {
		return item, locale, err
	}
	if sounds[id].State != narrate.Done {
		return item, locale, ErrNotNarrated
	}
	item, err = s.store.Verify(ctx, by, item.Key, item.Version)
	return item, locale, err
}

// Narrations say how far the sound of each is, by id. One that readers do not have just now is not being narrated: it
// has the sound that it had.
func (s *Studio) Narrations(ctx context.Context, items ...entry.Item) (map[string]narrate.Progress, error) {
	ids := make([]string, len(items))
	for i, item := range items {
		ids[i] = item.ID
	}
	found, err := s.sounds.Narrations(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		if item.PublishedVersion == 0 && len(item.Fields["audio"]) > 0 {
			found[item.ID] = narrate.Progress{State: narrate.Done}
		}
	}
	return found, nil
}

// Delete takes a meditation from members at once, and for good after a day. Errors: entry.ErrNotFound.
func (s *Studio) Delete(ctx context.Context, by entry.Actor, id string) (item entry.Item, locale string, err error) {
	if item, locale, err = s.meditation(ctx, id); err == nil {
		item, err = s.store.Remove(ctx, by, item.Key)
	}
	return item, locale, err
}

// Restore takes the deletion back. Errors: entry.ErrNotFound once it is gone for good.
func (s *Studio) Restore(ctx context.Context, by entry.Actor, id string) (item entry.Item, locale string, err error) {
	if item, locale, err = s.meditation(ctx, id); err == nil {
		item, err = s.store.Restore(ctx, by, item.Key)
	}
	return item, locale, err
}

// meditation of that id, whether readers have it or not.
func (s *Studio) meditation(ctx context.Context, id string) (item entry.Item, locale string, err error) {
	if locale, err = s.locale(ctx); err != nil {
		return item, "", err
	}
	item, err = s.store.Item(ctx, key(id))
	if err == nil && item.ContentType != Meditation {
		err = entry.ErrNotFound
	}
	return item, locale, err
}
