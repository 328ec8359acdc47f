package entry

import "time"

// An item is a draft until it is published; a published one must be unpublished before it can be archived or
// deleted, and an archived one taken out of the archive before it can change. Each step is one version more.

// Change takes what an editor gives.
func (i Item) Change(at time.Time, d Draft) (Item, error) {
	if !i.ArchivedAt.IsZero() {
		return i, ErrArchived
	}
	i.Fields, i.Tags, i.Concepts = d.Fields, d.Tags, d.Concepts
	return i.step(at), nil
}

// Publish gives readers what the draft holds. The version that they have is the one before the step.
func (i Item) Publish(at time.Time) (Item, error) {
	if !i.ArchivedAt.IsZero() {
		return i, ErrArchived
	}
	if i.FirstPublishedAt.IsZero() {
		i.FirstPublishedAt = at
	}
	i.PublishedVersion = i.Version
	i.Revision++
	return i.step(at), nil
}

// Unpublish takes it from the readers.
func (i Item) Unpublish(at time.Time) (Item, error) {
	if i.PublishedVersion == 0 {
		return i, ErrNotPublished
	}
	i.PublishedVersion = 0
	return i.step(at), nil
}

// Archive puts a draft away.
func (i Item) Archive(at time.Time) (Item, error) {
	switch {
	case i.PublishedVersion != 0:
		return i, ErrPublished
	case !i.ArchivedAt.IsZero():
		return i, ErrArchived
	}
	i.ArchivedAt = at
	return i.step(at), nil
}

// Remove puts a draft away to be deleted for good after a while. Taken out of the archive before, it stays.
func (i Item) Remove(at time.Time) (Item, error) {
	if i.PublishedVersion != 0 {
		return i, ErrPublished
	}
	if i.ArchivedAt.IsZero() {
		i.ArchivedAt = at
	}
	i.DeletedAt = at
	return i.step(at), nil
}

// Unarchive takes it out again, as a draft.
func (i Item) Unarchive(at time.Time) (Item, error) {
	if i.ArchivedAt.IsZero() {
		return i, ErrNotArchived
	}
	i.ArchivedAt, i.DeletedAt = time.Time{}, time.Time{}
	return i.step(at), nil
}

// Delete says whether it may go for good.
func (i Item) Delete() error {
	if i.PublishedVersion != 0 {
		return ErrPublished
	}
	return nil
}

// Changed says whether the draft holds something that readers do not have.
func (i Item) Changed() bool { return i.PublishedVersion != 0 && i.Version > i.PublishedVersion+1 }

func (i Item) step(at time.Time) Item {
	i.Version++
	i.UpdatedAt = at
	return i
}
