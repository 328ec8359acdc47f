package postgres_test

import (
	"crypto/sha256"
	"testing"
	"time"

	"github.com/google/uuid"

	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/testkit/year"
)

// yearOfMails is a year of mails that were sent, and a few that wait.
var yearOfMails = []string{
	`INSERT INTO mails (id, idempotency_key, uid, recipient, template, state, created_at, expires_at, ended_at)
		SELECT md5('mail' || n)::uuid, 'mail' || n, 'u' || n, n || '@example.org', CASE n % 3 WHEN 0 THEN 'contact' ELSE 'welcome' END, 'sent', at, at + interval '3 days', at
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO mails (id, idempotency_key, uid, recipient, template, data, created_at, expires_at)
		SELECT md5('queued' || n)::uuid, 'queued' || n, 'u' || n, n || '@example.org', 'welcome', '{}', now(), now() + interval '3 days' FROM generate_series(1, 20) n`,
	`INSERT INTO mails (id, idempotency_key, uid, recipient, template, data, created_at, expires_at, topic, told_at)
		SELECT md5('topic' || n)::uuid, 'topic' || n, 'u' || n, n || '@example.org', 'trial_ending', '{}', now(), now() + interval '3 days', 'trial:' || n, now()
		FROM generate_series(1, 20) n`,
	`INSERT INTO topics (topic, told_at) SELECT 'trial:' || n, now() - interval '95 days' * (1 - n / $1::float8) FROM generate_series(1, $1::int) n`,
	`INSERT INTO declined (uid, kind, declined_at) SELECT md5('member' || n)::uuid, 'rewards', now() FROM generate_series(1, $1::int, 3) n`,
	`INSERT INTO suppressed (address, reason, suppressed_at) SELECT sha256(n::text::bytea), 'bounce', now() FROM generate_series(1, $1::int) n`,
	`INSERT INTO uninvited (address, declined_at) SELECT sha256(n::text::bytea), now() FROM generate_series(1, $1::int) n`,
	`INSERT INTO invited (address, invited_at)
		SELECT sha256(n::text::bytea), now() - interval '365 days' * (1 - n / $1::float8) FROM generate_series(1, $1::int) n`,
	`INSERT INTO invitations (uid, key, asked_at)
		SELECT md5('member' || n)::uuid, md5(n::text)::uuid, now() - interval '53 hours' * (1 - n / $1::float8) FROM generate_series(1, $1::int) n`,
	`INSERT INTO free_letters (key, mail_id, sender, recipient, digest, sent_at)
		SELECT 'free:' || n, md5('mail' || n)::uuid, 'client:' || n % 5, sha256(n::text::bytea), '', now() - interval '400 days' * (1 - n / $1::float8)
		FROM generate_series(1, $1::int) n`,
	`INSERT INTO members (uid, email, given_name) SELECT md5('member' || n)::uuid, n || '@example.org', 'Amara' FROM generate_series(1, $1::int) n`,
	`INSERT INTO leaving (uid, leaves, told_at) SELECT md5('member' || n)::uuid, true, now() FROM generate_series(1, $1::int, 100) n`,
	`INSERT INTO marketing (uid, given, told_at) SELECT md5('member' || n)::uuid, n % 2 = 0, now() FROM generate_series(1, $1::int) n`,
	`INSERT INTO departed (member, departed_at)
		SELECT sha256(n::text::bytea), now() - interval '95 days' * (1 - n / $1::float8) FROM generate_series(1, $1::int) n`,
}

func TestAfterAYearEveryStatementTouchesWhatItTouchedInTheFirstWeek(t *testing.T) {
	t.Parallel()
	y := year.Open(t, "mail", store.Migrate, yearOfMails...)
	now, sum := time.Now(), sha256.Sum256([]byte("1"))
	y.CheckQueries("sqlcgen", year.Values{
		"id": year.ID("queued1"), "now": now, "state": "sent", "reason": "", "idempotencykey": "mail1",
		"Insert.id": uuid.New(), "Insert.idempotencykey": "new", "uid": "u", "recipient": "amara@example.org", "template": "welcome", "data": "{}",
		"Member.uid": year.ID("member1"), "Forget.uid": year.ID("member1"), "Remember.uid": uuid.New(), "email": "amara@example.org",
		"givenname": "Amara", "member": sum[:], "at": now,
		"createdat": now, "expiresat": now.Add(time.Hour), "idlesince": now, "since": now.Add(-time.Hour), "but": 0, "most": 200,
		"topic": "trial:1", "toldat": now, "helduntil": now, "LetterOf.uid": "u1", "key": "topic2", "topics": []string{"trial:1", "payment:1"},
		"address": sum[:], "kind": "rewards", "Refusal.uid": year.ID("member1"), "Declined.uid": year.ID("member1"), "Decline.uid": uuid.New(),
		"leaves": true, "Leave.uid": uuid.New(), "given": true, "Agree.uid": uuid.New(), "ForgetAgreed.uid": year.ID("member1"), "ForgetLeaving.uid": year.ID("member1"), "ForgetMails.uid": "u1",
		"Wish.uid": year.ID("member1"), "ForgetDeclined.uid": year.ID("member1"), "Suppress.reason": "bounce", "of": "free",
		"InvitationAsked.uid": year.ID("member1"), "InvitationAsked.key": uuid.New(), "InvitationOf.uid": year.ID("member1"),
		"AskInvitation.uid": uuid.New(), "AskInvitation.key": uuid.New(), "ForgetInvitations.uid": year.ID("member1"), "mailbox": []byte("new"), "Invite.address": []byte("old"),
		"FreeLetter.key": "free:1", "RecordFreeLetter.key": "new", "mailid": uuid.New(), "sender": "client:1", "digest": []byte{},
	})
	y.CheckRetention(store.Retention())
}
