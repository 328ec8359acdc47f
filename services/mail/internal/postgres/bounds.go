package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"serein.app/services/mail/internal/letters"
	"serein.app/services/mail/internal/postgres/sqlcgen"
)

// day is what letters that people ask for or cause are counted in.
const day = 24 * time.Hour

// ofAKindADay are what a member gets of one kind that acts may cause again and again: more than anybody's affairs change in a
// day, and no flood for who presses to and fro.
const ofAKindADay = 5

// What a limit is of, as the metric has it.
const (
	limitContact     = "contact"
	limitFree        = "free"
	limitSender      = "free_of_sender"
	limitInvitations = "invitations"
	limitInviter     = "invitations_of_member"
	limitKind        = "kind_of_member"
)

// TooManyError refuses a letter: as many were written as are taken. After is when there is room for another.
type TooManyError struct {
	Limit string
	After time.Duration
}

func (e TooManyError) Error() string {
	return "too many letters by the limit " + e.Limit + ", more are taken in " + e.After.String()
}

func noRow(err error) bool { return errors.Is(err, pgx.ErrNoRows) }

// tooMany is a TooManyError where a row was found, which is the oldest of as many as are taken.
func tooMany(limit string, oldest, since time.Time, err error) error {
	switch {
	case noRow(err):
		return nil
	case err != nil:
		return err
	}
	return TooManyError{limit, oldest.Sub(since)}
}

// count tells of a letter that a limit refused, and gives the error.
func (s *Store) count(ctx context.Context, err error) error {
	if full, is := errors.AsType[TooManyError](err); is {
		s.limited(ctx, full.Limit)
	}
	return err
}

// hold keeps a letter back of whose kind the member has had as many as they get in a day: until there is room where something
// newer of its topic would drop it, so that the last word is said and no other; else for good, which gives false.
func (s *Store) hold(ctx context.Context, tx pgx.Tx, l *letters.Letter) (sent bool, err error) {
	if !l.Template.Bounded() {
		return true, nil
	}
	err = s.count(ctx, s.roomForKind(ctx, tx, *l))
	full, is := errors.AsType[TooManyError](err)
	if !is {
		return err == nil, err
	}
	l.NotBefore = s.now().Add(full.After)
	return l.Topic != "", nil
}

// roomForKind counts letters of one kind one after another, until the commit. Errors: TooManyError.
func (s *Store) roomForKind(ctx context.Context, tx pgx.Tx, l letters.Letter) error {
	if err := s.queries.LockLetters(ctx, tx, string(l.Template)+":"+l.UID); err != nil {
		return err
	}
	since := s.now().Add(-day)
	oldest, err := s.queries.LetterOf(ctx, tx, sqlcgen.LetterOfParams{
		Uid: l.UID, Template: string(l.Template), Key: l.Key, Since: since, But: ofAKindADay - 1,
	})
	return tooMany(limitKind, oldest, since, err)
}
