package postgres

import (
	"bytes"
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/mail/internal/letters"
	"serein.app/services/mail/internal/postgres/sqlcgen"
	"serein.app/services/platform/mailbox"
	"serein.app/services/platform/postgres"
)

// ErrReused says that a key was used for other words before.
var ErrReused = errors.New("the key was used for another letter")

// FreeLetters are the copies of one letter in somebody's own words, each to one address.
type FreeLetters struct {
	Sender string
	// Digest tells one request from another.
	Digest []byte
	Copies []letters.Letter
	// MostOfAll and MostOfSender are taken in a day.
	MostOfAll, MostOfSender int
}

// EnqueueFree takes them for sending, records who wrote to whom, and gives the id of the first. The same key with the same words
// gives the same id. Errors: ErrReused, TooManyError.
func (s *Store) EnqueueFree(ctx context.Context, f FreeLetters) (id uuid.UUID, err error) {
	err = postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockLetters(ctx, tx, "free"); err != nil {
			return err
		}
		known, err := s.queries.FreeLetter(ctx, tx, f.Copies[0].Key)
		if err == nil {
			if id = known.MailID; !bytes.Equal(known.Digest, f.Digest) {
				return ErrReused
			}
			return nil
		}
		if !noRow(err) {
			return err
		}
		if err := s.roomForFree(ctx, tx, f); err != nil {
			return err
		}
		id, err = s.recordFree(ctx, tx, f)
		return err
	})
	return id, s.count(ctx, postgres.Translate(err, nil))
}

func (s *Store) roomForFree(ctx context.Context, tx pgx.Tx, f FreeLetters) error {
	since := s.now().Add(-day)
	oldest, err := s.queries.FreeLetterOfAll(ctx, tx, sqlcgen.FreeLetterOfAllParams{Since: since, But: int32(f.MostOfAll - len(f.Copies))})
	if err := tooMany(limitFree, oldest, since, err); err != nil {
		return err
	}
	oldest, err = s.queries.FreeLetterOf(ctx, tx, sqlcgen.FreeLetterOfParams{Sender: f.Sender, Since: since, But: int32(f.MostOfSender - len(f.Copies))})
	return tooMany(limitSender, oldest, since, err)
}

func (s *Store) recordFree(ctx context.Context, tx pgx.Tx, f FreeLetters) (first uuid.UUID, err error) {
	for i, l := range f.Copies {
		id, err := s.queue(ctx, tx, l)
		if err != nil {
			return uuid.UUID{}, err
		}
		if i == 0 {
			first = id
		}
		if err := s.queries.RecordFreeLetter(ctx, tx, sqlcgen.RecordFreeLetterParams{
			Key: l.Key, MailID: id, Sender: f.Sender, Recipient: letters.AddressHash(l.To), Digest: f.Digest, At: s.now(),
		}); err != nil {
			return uuid.UUID{}, err
		}
	}
	return first, nil
}

// Invitation is one that a member asks for.
type Invitation struct {
	UID    uuid.UUID
	Key    uuid.UUID
	Letter letters.Letter
	// Most are taken of a member in a day, MostOfAll sent of all members together.
	Most, MostOfAll int
}

// EnqueueInvitation takes an invitation of a friend: one letter a mailbox, for ever. That there was one before, or that the
// address wants none, shows in nothing, also where no more are taken. The same key asks once. Errors: TooManyError, letters.ErrUnknown, ErrDeparted and ErrOwn.
func (s *Store) EnqueueInvitation(ctx context.Context, i Invitation) error {
	err := postgres.InTx(ctx, s.db, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.queries.LockMember(ctx, tx, i.UID.String()); err != nil {
			return err
		}
		if asked, err := s.queries.InvitationAsked(ctx, tx, sqlcgen.InvitationAskedParams{Uid: i.UID, Key: i.Key}); err != nil || asked {
			return err
		}
		if err := s.roomForInvitation(ctx, tx, i); err != nil {
			return err
		}
		inviter, err := s.Member(ctx, tx, i.UID)
		if err != nil {
			return err
		}
		if mailbox.Of(inviter.Email) == mailbox.Of(i.Letter.To) {
			return letters.ErrOwn.On("email")
		}
		if err := s.queries.AskInvitation(ctx, tx, sqlcgen.AskInvitationParams{Uid: i.UID, Key: i.Key, At: s.now()}); err != nil {
			return err
		}
		i.Letter.Data.Invite.Inviter = letters.OneLine(inviter.GivenName)
		return s.inviteOnce(ctx, tx, i.Letter)
	})
	return s.count(ctx, postgres.Translate(err, nil))
}

// roomForInvitation holds the member's lock and, until the commit, that of all.
func (s *Store) roomForInvitation(ctx context.Context, tx pgx.Tx, i Invitation) error {
	since := s.now().Add(-day)
	oldest, err := s.queries.InvitationOf(ctx, tx, sqlcgen.InvitationOfParams{Uid: i.UID, Since: since, But: int32(i.Most - 1)})
	if err := tooMany(limitInviter, oldest, since, err); err != nil {
		return err
	}
	if err := s.queries.LockLetters(ctx, tx, limitInvitations); err != nil {
		return err
	}
	oldest, err = s.queries.InvitationOfAll(ctx, tx, sqlcgen.InvitationOfAllParams{Since: since, But: int32(i.MostOfAll - 1)})
	return tooMany(limitInvitations, oldest, since, err)
}

func (s *Store) inviteOnce(ctx context.Context, tx pgx.Tx, l letters.Letter) error {
	if refused, err := s.refusal(ctx, tx, l); err != nil || refused != "" {
		return err
	}
	n, err := s.queries.Invite(ctx, tx, sqlcgen.InviteParams{
		Mailbox: letters.MailboxHash(l.To), Address: letters.AddressHash(l.To), At: s.now(),
	})
	if err != nil || n == 0 {
		return err
	}
	_, err = s.queue(ctx, tx, l)
	return err
}
