package entry

import (
	"maps"
	"time"
)

// Draft is what an editor gives an item.
type Draft struct {
	Fields         Fields
	Tags, Concepts []string
}

// Actor is who changes something.
type Actor struct {
	// Name is the actor's name in the audit log: a member's uid, a service account, the name of a service, or "seed".
	Name string
	// Editor is true for people. After a person has changed an item, its file in seed/ no longer changes it.
	Editor bool
}

// Touch marks what an editor has changed.
func (a Actor) Touch(i Item, at time.Time) Item {
	if a.Editor {
		i.EditedAt = at
	}
	return i
}

// New makes an unpublished draft.
func New(at time.Time, key Key, contentType string, d Draft) Item {
	return Item{
		Key: key, ContentType: contentType, Version: 1, Fields: d.Fields, Tags: d.Tags, Concepts: d.Concepts, CreatedAt: at, UpdatedAt: at,
	}
}

// Offered are the fields without those that the content type does not offer to editors. Fields that it does not know
// stay: they are faults.
func (t ContentType) Offered(fields Fields) Fields {
	return t.without(fields, func(f Field, known bool) bool { return known && f.Disabled })
}

// Present are the fields that the content type still has and offers to editors.
func (t ContentType) Present(fields Fields) Fields {
	return t.without(fields, func(f Field, known bool) bool { return !known || f.Disabled })
}

func (t ContentType) without(fields Fields, drop func(f Field, known bool) bool) Fields {
	left := Fields{}
	for id, locales := range fields {
		if f, known := t.Field(id); !drop(f, known) {
			left[id] = locales
		}
	}
	return left
}

// Keep gives the new fields together with those of the old that the content type does not offer to editors: the
// service writes them itself.
func (t ContentType) Keep(old, new Fields) Fields {
	kept := maps.Clone(new)
	if kept == nil {
		kept = Fields{}
	}
	for _, f := range t.Fields {
		if _, given := new[f.ID]; f.Disabled && !given && old[f.ID] != nil {
			kept[f.ID] = old[f.ID]
		}
	}
	return kept
}
