-- name: LockLetters :exec
-- Held until the commit: letters of one sender, or of all, are counted one after another.
SELECT pg_advisory_xact_lock(hashtextextended('serein.mail.letters.' || @of::text, 0));

-- name: InvitationAsked :one
SELECT EXISTS (SELECT FROM invitations WHERE uid = @uid AND key = @key)::bool AS asked;

-- name: InvitationOf :one
-- When the newest but so many of a member's invitations since then was asked for; none where there are fewer.
SELECT asked_at FROM invitations WHERE uid = @uid AND asked_at > @since ORDER BY asked_at DESC OFFSET @but LIMIT 1;

-- name: AskInvitation :exec
INSERT INTO invitations (uid, key, asked_at) VALUES (@uid, @key, @at);

-- name: ForgetInvitations :exec
DELETE FROM invitations WHERE uid = @uid;

-- name: InvitationOfAll :one
-- The same of everybody's that became letters: they stay counted when the member who asked is gone.
SELECT invited_at FROM invited WHERE invited_at > @since ORDER BY invited_at DESC OFFSET @but LIMIT 1;

-- name: Invite :execrows
-- One letter a mailbox, for ever. Releases of before have noted the address alone.
INSERT INTO invited (address, invited_at) SELECT @mailbox, @at
WHERE NOT EXISTS (SELECT FROM invited i WHERE i.address = @address::bytea) ON CONFLICT DO NOTHING;

-- name: FreeLetter :one
SELECT mail_id, digest FROM free_letters WHERE key = @key;

-- name: FreeLetterOfAll :one
-- When the newest but so many of all free letters since then was written; none where there are fewer.
SELECT sent_at FROM free_letters WHERE sent_at > @since ORDER BY sent_at DESC OFFSET @but LIMIT 1;

-- name: FreeLetterOf :one
-- The same of one sender.
SELECT sent_at FROM free_letters WHERE sender = @sender AND sent_at > @since ORDER BY sent_at DESC OFFSET @but LIMIT 1;

-- name: RecordFreeLetter :exec
INSERT INTO free_letters (key, mail_id, sender, recipient, digest, sent_at) VALUES (@key, @mail_id, @sender, @recipient, @digest, @at);
