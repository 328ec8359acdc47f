package postgres

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"serein.app/services/billing/internal/credits"
	"serein.app/services/billing/internal/events"
	"serein.app/services/billing/internal/postgres/sqlcgen"
	"serein.app/services/billing/internal/sales"
	"serein.app/services/platform/erasure"
	"serein.app/services/platform/postgres"
)

// Why nobody was rewarded.
const (
	sameMailbox = "mailbox"
	sameCard    = "card"
)

// invited says whether a new member came by another's invitation, who is known and here. The member's own mailbox is noted before.
func (s *Store) invited(ctx context.Context, tx pgx.Tx, uid uuid.UUID, mailboxKey []byte, inviter uuid.UUID) (bool, error) {
	if inviter == uuid.Nil {
		return false, nil
	}
	m, err := s.queries.Member(ctx, tx, inviter)
	own := inviter == uid || len(mailboxKey) > 0 && bytes.Equal(mailboxKey, m.MailboxKey)
	return m.Known && !own, err
}

// refer keeps who invited a new member, and rewards both where the member has paid a membership already: an event may be late.
func (s *Store) refer(ctx context.Context, tx pgx.Tx, friend, referrer uuid.UUID) error {
	if err := s.queries.AddReferral(ctx, tx, sqlcgen.AddReferralParams{Friend: friend, Referrer: referrer, InvitedAt: s.now()}); err != nil {
		return err
	}
	id, err := s.queries.FirstPaidMembership(ctx, tx, friend)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	row, err := s.queries.Order(ctx, tx, id)
	if err != nil {
		return err
	}
	o, err := s.order(ctx, tx, row)
	if err != nil {
		return err
	}
	return s.rewardReferral(ctx, tx, friend, o, "") // the card was noted when it was paid
}

// rewardReferral rewards a friend and who invited them for the first membership that the friend has paid money for. Every order that
// pays for a period is brought here with the fingerprint of its card (empty where none is known), in the transaction that gives what it
// bought and that has the friend's lock (LockMember). What is free decides nothing: a later order will.
func (s *Store) rewardReferral(ctx context.Context, tx pgx.Tx, friend uuid.UUID, o sales.Order, fingerprint string) error {
	if fingerprint != "" {
		card := sha256.Sum256([]byte(fingerprint))
		if err := s.queries.NoteCard(ctx, tx, sqlcgen.NoteCardParams{Uid: friend, Card: card[:]}); err != nil {
			return err
		}
	}
	if o.Membership() == nil || o.Charged() <= 0 {
		return nil
	}
	r, found, err := s.lockReferral(ctx, tx, friend)
	if err != nil || !found || r.DecidedAt != nil {
		return err
	}
	decided := sqlcgen.DecideReferralParams{Friend: friend, OrderID: o.ID, At: s.now()}
	if decided.Refused, err = s.oneself(ctx, tx, friend, r.Referrer); err != nil {
		return err
	}
	if decided.Refused == "" {
		if decided.FriendCredits, decided.ReferrerCredits, err = s.reward(ctx, tx, friend, r, o); err != nil {
			return err
		}
	}
	return s.queries.DecideReferral(ctx, tx, decided)
}

// lockReferral gives a friend's referral under the locks of both, the friend's before the referrer's: a referrer was here before
// the friend, so nobody waits in a circle. The referrer's orders their rewards, and puts them before or after their leaving.
func (s *Store) lockReferral(ctx context.Context, tx pgx.Tx, friend uuid.UUID) (r sqlcgen.ReferralRow, found bool, err error) {
	r, err = s.queries.Referral(ctx, tx, friend)
	if errors.Is(err, pgx.ErrNoRows) {
		return r, false, nil
	}
	if err != nil || r.DecidedAt != nil && r.TakenBackAt != nil {
		return r, err == nil, err
	}
	if err := s.queries.LockMember(ctx, tx, r.Referrer.String()); err != nil {
		return r, false, err
	}
	r, err = s.queries.Referral(ctx, tx, friend)
	return r, err == nil, err
}

// oneself says by what the two are one person; empty where they are not, as far as can be told.
func (s *Store) oneself(ctx context.Context, tx pgx.Tx, friend, referrer uuid.UUID) (string, error) {
	mailbox, err := s.queries.OneMailbox(ctx, tx, sqlcgen.OneMailboxParams{Friend: friend, Referrer: referrer})
	if err != nil {
		return "", err
	}
	card, err := s.queries.OneCard(ctx, tx, sqlcgen.OneCardParams{Friend: friend, Referrer: referrer})
	switch {
	case mailbox:
		return sameMailbox, err
	case card:
		return sameCard, err
	}
	return "", err
}

// reward grants to both, and says how much: nothing to a referrer who has gone, or has had a month's rewards.
func (s *Store) reward(ctx context.Context, tx pgx.Tx, friend uuid.UUID, r sqlcgen.ReferralRow, o sales.Order) (toFriend, toReferrer int64, err error) {
	if toFriend, err = s.rewardOne(ctx, tx, true, credits.Grant{
		UID: friend, Cause: credits.FriendCause(friend), Description: "You joined by a friend's invitation", Reference: "order:" + o.ID.String(),
	}); err != nil || r.ReferrerLeft {
		return toFriend, 0, err
	}
	had, err := s.queries.RewardsSince(ctx, tx, sqlcgen.RewardsSinceParams{Referrer: r.Referrer, Since: s.now().Add(-credits.Month)})
	if err != nil || had >= credits.RewardsAMonth {
		return toFriend, 0, err
	}
	toReferrer, err = s.rewardOne(ctx, tx, false, credits.Grant{
		UID: r.Referrer, Cause: credits.ReferrerCause(friend), Description: "A friend whom you invited became a member",
	})
	return toFriend, toReferrer, err
}

func (s *Store) rewardOne(ctx context.Context, tx pgx.Tx, friend bool, g credits.Grant) (int64, error) {
	g.Pool, g.Amount = credits.TopUpPool, credits.Reward
	if isNew, err := s.Grant(ctx, tx, g); err != nil || !isNew {
		return 0, err
	}
	return g.Amount, s.outbox.Add(ctx, tx, events.ReferralRewarded(g.UID, g.Amount, friend))
}

// takeRewardBack takes a reward back once the order that decided it was refunded whole, as far as it is unspent.
func (s *Store) takeRewardBack(ctx context.Context, tx pgx.Tx, o sales.Order, returned int64) error {
	if o.State != sales.Completed || o.Membership() == nil || returned < o.Charged() {
		return nil
	}
	r, found, err := s.lockReferral(ctx, tx, o.UID)
	if err != nil || !found || uuid.UUID(r.OrderID.Bytes) != o.ID || r.Refused != "" || r.TakenBackAt != nil {
		return err
	}
	taken := sqlcgen.TakeReferralBackParams{Friend: o.UID, At: s.now()}
	if taken.FriendCredits, err = s.unreward(ctx, tx, o.UID, r.FriendCredits, credits.FriendCause(o.UID), "order:"+o.ID.String()); err != nil {
		return err
	}
	if taken.ReferrerCredits, err = s.unreward(ctx, tx, r.Referrer, r.ReferrerCredits, credits.ReferrerCause(o.UID), ""); err != nil {
		return err
	}
	return s.queries.TakeReferralBack(ctx, tx, taken)
}

// unreward takes from one of the two what they had, and tells them where they are still here, also that nothing was left to take.
func (s *Store) unreward(ctx context.Context, tx pgx.Tx, uid uuid.UUID, had int64, cause, reference string) (int64, error) {
	if had == 0 {
		return 0, nil
	}
	const why = "The membership was refunded"
	taken, err := s.takeFrom(ctx, tx, uid, sales.Grant{Cause: cause, Description: why}, had, "reversal:"+cause, reference)
	if err == nil && taken == 0 {
		err = s.note(ctx, tx, uid, credits.RewardTakenBack, "reversal:"+cause, why)
	}
	if err != nil {
		return 0, err
	}
	gone, err := erasure.HasDeparted(ctx, tx, uid)
	if err != nil || gone {
		return taken, err
	}
	return taken, s.outbox.Add(ctx, tx, events.ReferralTakenBack(uid, taken))
}

// forgetPerson removes by what one person could be told from another, and notes that nobody is to be rewarded any more.
func (s *Store) forgetPerson(ctx context.Context, tx pgx.Tx, uid uuid.UUID) error {
	return errors.Join(s.queries.ForgetMailbox(ctx, tx, uid), s.queries.ForgetCards(ctx, tx, uid), s.queries.ReferrerLeft(ctx, tx, uid))
}

// Referrals are what a member's invitations came to.
func (s *Store) Referrals(ctx context.Context, uid uuid.UUID) (credits.Referrals, error) {
	row, err := s.queries.Referrals(ctx, s.db, uid)
	return credits.Referrals{Invited: int32(row.Invited), Rewarded: int32(row.Rewarded), Credits: row.Credits}, postgres.Translate(err, nil)
}
