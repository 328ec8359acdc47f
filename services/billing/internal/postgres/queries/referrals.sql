-- name: NoteMailbox :execrows
-- Whose mailbox it is; the first that is noted stays.
INSERT INTO mailboxes (uid, mailbox_key) VALUES ($1, $2) ON CONFLICT (uid) DO NOTHING;

-- name: Member :one
-- Who has been here and has not gone, with the mailbox where it is known.
SELECT
    ((s.uid IS NOT NULL OR m.uid IS NOT NULL) AND d.member IS NULL)::boolean AS known,
    m.mailbox_key
FROM (SELECT @uid::uuid AS uid) AS member
LEFT JOIN subscriptions s ON s.uid = member.uid
LEFT JOIN mailboxes m ON m.uid = member.uid
LEFT JOIN departed d ON d.member = sha256(uuid_send(member.uid));

-- name: AddReferral :exec
INSERT INTO referrals (friend, referrer, invited_at) VALUES ($1, $2, $3) ON CONFLICT (friend) DO NOTHING;

-- name: Referral :one
SELECT referrer, decided_at, order_id, refused, taken_back_at, referrer_left, friend_credits, referrer_credits FROM referrals WHERE friend = $1;

-- name: NoteCard :exec
INSERT INTO cards (uid, card) VALUES ($1, $2) ON CONFLICT (uid, card) DO NOTHING;

-- name: OneMailbox :one
-- Whether two members are of one mailbox.
SELECT EXISTS (SELECT FROM mailboxes f JOIN mailboxes r ON r.mailbox_key = f.mailbox_key WHERE f.uid = @friend AND r.uid = @referrer);

-- name: OneCard :one
-- Whether two members have paid with one card.
SELECT EXISTS (SELECT FROM cards f JOIN cards r ON r.card = f.card WHERE f.uid = @friend AND r.uid = @referrer);

-- name: RewardsSince :one
-- How many rewards a member has had since, taken back or not.
SELECT count(*) FROM referrals WHERE referrer = @referrer AND decided_at > @since::timestamptz
    AND (referrer_credits > 0 OR taken_back_at IS NOT NULL);

-- name: DecideReferral :exec
UPDATE referrals SET decided_at = @at::timestamptz, order_id = @order_id::uuid, refused = @refused,
    friend_credits = @friend_credits::bigint, referrer_credits = @referrer_credits::bigint
WHERE friend = $1;

-- name: TakeReferralBack :exec
UPDATE referrals SET taken_back_at = @at::timestamptz,
    friend_credits = friend_credits - @friend_credits::bigint, referrer_credits = referrer_credits - @referrer_credits::bigint
WHERE friend = $1;

-- name: FirstPaidMembership :one
-- The first order of a membership that a member has paid money for and has kept.
SELECT id FROM orders
WHERE uid = $1 AND completed_at IS NOT NULL AND state = 'completed' AND membership AND paid_amount > 0 AND refunded < paid_amount
ORDER BY number LIMIT 1;

-- name: Referrals :one
-- What a member's invitations came to.
SELECT count(*) AS invited, count(*) FILTER (WHERE decided_at IS NOT NULL AND refused = '' AND taken_back_at IS NULL) AS rewarded,
    coalesce(sum(referrer_credits), 0)::bigint AS credits
FROM referrals WHERE referrer = $1;

-- name: ForgetMailbox :exec
DELETE FROM mailboxes WHERE uid = $1;

-- name: ForgetCards :exec
DELETE FROM cards WHERE uid = $1;

-- name: ReferrerLeft :exec
UPDATE referrals SET referrer_left = true WHERE referrer = $1 AND NOT referrer_left;
