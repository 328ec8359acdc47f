package postgres_test

import (
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"serein.app/services/generation/internal/meditation"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/testkit/year"
)

// meditations inserts rows of a state. Each has a name, the SQL of which its id is made; more gives further
// columns and their values.
func meditations(state, name, from, columns, values string) string {
	return fmt.Sprintf(`INSERT INTO meditations (id, uid, idempotency_key, title, type_id, practice_id, size_id, immersive, track_id, day, brief,
			narrator_id, narrator_name, cost, hold_id, state, words, passages_total, expected_us, deadline%s)
		SELECT md5(%s)::uuid, member, gen_random_uuid(), 'An evening', 't', 'p', 's', false, '', now(), '{"affirmations": []}',
			'n', 'N', 1, gen_random_uuid(), '%s', 300, 20, 60000000, at + interval '10 minutes'%s
		FROM (%s) AS rows`, columns, name, state, values, from)
}

// yearOfMeditations is a year of members who made twenty each, a few of which came to nothing, and the
// work of a moment. The hot member has a history of five hundred.
var yearOfMeditations = []string{
	meditations("ready", "'r' || n", `SELECT n, md5('m' || n % ($1::int / 20 + 1))::uuid AS member, now() - interval '365 days' * (1 - n / $1::float8) AS at
		FROM generate_series(1, $1::int) n`, ", created_at, ended_at, settled, tidied, passages_done, ready_us, audio_bytes", ", at, at + interval '1 minute', true, true, 20, 60000000, 1"),
	meditations("failed", "'f' || n", `SELECT n, md5('m' || n % ($1::int / 20 + 1))::uuid AS member, now() - interval '365 days' * (1 - n / $1::float8) AS at
		FROM generate_series(1, $1::int, 20) n`, ", created_at, ended_at, settled, tidied", ", at, at + interval '1 minute', true, true"),
	meditations("ready", "'h' || n", `SELECT n, md5('hot')::uuid AS member, now() - n * interval '17 hours' AS at FROM generate_series(1, 500) n`,
		", created_at, ended_at, settled, tidied, passages_done, ready_us, audio_bytes", ", at, at + interval '1 minute', true, true, 20, 60000000, 1"),
	meditations("ready", "'marked' || n", `SELECT n, md5('hot')::uuid AS member, now() - n * interval '17 hours' AS at FROM generate_series(1, 500) n`,
		", created_at, ended_at, settled, tidied, passages_done, ready_us, audio_bytes, deletes_at",
		", at, at + interval '1 minute', true, true, 20, 60000000, 1, now() + interval '13 days' - n * interval '30 minutes'"),
	meditations("deleted", "'gone' || n", `SELECT n, md5('m' || n % ($1::int / 20 + 1))::uuid AS member, now() - n * interval '1 minute' AS at FROM generate_series(1, $1::int / 10) n`,
		", created_at, ended_at, settled, tidied, deletes_at", ", at, at + interval '1 minute', true, true, at + interval '1 minute'"),
	meditations("queued", "'q' || n", "SELECT n, md5('m' || n)::uuid AS member, now() - n * interval '1 second' AS at FROM generate_series(1, 30) n", ", created_at", ", at"),
	meditations("narrating", "'w' || n", "SELECT n, md5('m' || n)::uuid AS member, now() - n * interval '1 second' AS at FROM generate_series(1, 10) n",
		", created_at, worker_id, attempt", ", at, md5('worker')::uuid, 1"),
	meditations("narrating", "'hot'", "SELECT md5('hot')::uuid AS member, now() AS at", ", created_at, lease_until, attempt, passages_done", ", at, now() + interval '15 seconds', 1, 5"),
	meditations("finishing", "'finishing'", "SELECT md5('hot')::uuid AS member, now() AS at",
		", created_at, lease_until, attempt, passages_done, ready_us, audio_bytes", ", at, now() + interval '15 seconds', 1, 20, 60000000, 1"),
	meditations("writing", "'overdue' || n", "SELECT n, md5('m' || n)::uuid AS member, now() - interval '1 hour' AS at FROM generate_series(1, 5) n", ", created_at", ", at"),
	meditations("holding", "'holding' || n", "SELECT n, md5('hot')::uuid AS member, now() - interval '1 hour' AS at FROM generate_series(1, 5) n", ", created_at", ", at"),
	meditations("failed", "'unreconciled' || n", "SELECT n, md5('m' || n)::uuid AS member, now() - interval '1 hour' AS at FROM generate_series(1, 20) n", ", created_at, ended_at", ", at, at"),
	meditations("cancelled", "'untidy' || n", "SELECT n, md5('m' || n)::uuid AS member, now() - interval '1 hour' AS at FROM generate_series(1, 20) n", ", created_at, ended_at, settled", ", at, at, true"),
	`INSERT INTO narrations (id, request_hash, narrator_id, narrator_name, passages, state, passages_done, passages_total, worker_id, attempt, created_at, ended_at, tidied)
		SELECT 'narration-' || n, '', 'n', 'N', '[]', CASE WHEN n <= 20 THEN 'waiting' WHEN n <= 40 THEN 'narrating' ELSE 'ready' END, 100, 100,
			CASE WHEN n <= 40 THEN md5('worker')::uuid END, 1, now(), CASE WHEN n > 40 THEN now() - n * interval '10 minutes' END, n > 2000
		FROM generate_series(1, least($1::int, 4000)) n`,
	`INSERT INTO narration_segments SELECT 'narration-' || n, index, 1, 1, 'k' FROM generate_series(1, 40) n, generate_series(0, 99) index`,
	`INSERT INTO workers (id, name, recorders, pace, lease_until, lost_at) SELECT md5('lost' || n)::uuid, 'n', 2, 0.1, now(), now() - n * interval '1 hour' FROM generate_series(1, 300) n`,
	`INSERT INTO workers (id, name, recorders, pace, lease_until) SELECT md5('worker')::uuid, 'n', 2, 0.1, now() + interval '15 seconds'`,
	`INSERT INTO scripts SELECT id, '[{"sentences": ["Rest."], "pause_us": 0}]' FROM meditations WHERE state <> 'holding' AND id <> md5('finishing')::uuid`,
	`INSERT INTO shares SELECT id, uid, sha256(id::text::bytea), 'sealed', 'Amara', created_at FROM meditations
		WHERE state = 'ready' AND deletes_at IS NULL AND id <> md5('r1')::uuid`,
	`INSERT INTO segments SELECT id, index, index * 3000000, 3000000, 0, 'k', index, 1, '[]' FROM meditations, generate_series(0, 2) index WHERE state IN ('ready', 'narrating')`,
	// As many as the limit lets stay, after a week as after a year.
	`INSERT INTO spoken SELECT sha256(n::text::bytea), 110000, now() - n % 60 * interval '1 day' FROM generate_series(1, 4000) n`,
	`UPDATE spoken_total SET bytes = (SELECT sum(bytes) FROM spoken)`,
	`INSERT INTO outside_spend SELECT current_date - n % 4, CASE WHEN n < 4 THEN '00000000-0000-0000-0000-000000000000' ELSE md5('m' || n)::uuid END, 'speech', 1000
		FROM generate_series(0, 2000) n`,
	`INSERT INTO outside_spend VALUES (current_date, md5('hot')::uuid, 'speech', 1000)`,
	// Drafts live for a day, so there are as many after a week as after a year.
	`INSERT INTO drafts (id, uid, idempotency_key, request, brief, passages, created_at)
		SELECT md5('draft' || n)::uuid, CASE WHEN n <= 2 THEN md5('hot')::uuid ELSE md5('m' || n)::uuid END, md5('press' || n)::uuid, '{}', '{}', '[]', now() - n * interval '40 seconds'
		FROM generate_series(1, 2000) n`,
}

// hashOf is how a link is found.
func hashOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

func TestAfterAYearEveryStatementTouchesWhatItTouchedInTheFirstWeek(t *testing.T) {
	t.Parallel()
	y := year.Open(t, "generation", store.Migrate, yearOfMeditations...)
	now, id := time.Now(), year.ID("hot")
	y.CheckQueries("sqlcgen", year.Values{
		"id": id, "uid": id, "meditationid": id, "attempt": 1, "now": now, "maxrunning": 3, "reason": "timed_out", "reconciled": false,
		"LockMember.uid": "member", "before": now.Add(-5 * time.Minute), "failedsince": now.Add(-24 * time.Hour),
		"deletesat": now, "SetDeletesAt.id": year.ID("r1"), "newtitle": "A night", "SetNewTitle.id": year.ID("r1"), "LockOwn.id": year.ID("h1"),
		"Tidied.state": "cancelled", "Purge.now": now.Add(10 * 24 * time.Hour),
		"beforetime": now, "beforeid": uuid.Max, "pagesize": 24, "ids": []uuid.UUID{year.ID("h1"), year.ID("h2"), year.ID("h3")},
		"lease": 15 * time.Second, "wait": time.Second, "setbacks": 1, "topics": []string{"changed"},
		"index": 5, "SegmentSound.index": 1, "SpokenLately.most": meditation.RememberedScripts, "fromindex": 0, "keptinside": true, "startus": 1, "durationus": 1, "silenceus": 0, "blobkey": "k", "bytes": 1, "lines": "[]",
		"expectedus": 60000000, "said": 4, "words": 300, "passagestotal": 20, "passages": "[]", "SaveScript.meditationid": year.ID("finishing"),
		"Complete.id": year.ID("finishing"), "Reconcile.id": year.ID("unreconciled1"), "PostponeReconciling.id": year.ID("unreconciled1"),
		"Tidied.id": year.ID("untidy1"), "Discard.id": year.ID("holding1"), "Enqueue.id": year.ID("holding1"), "DeleteAbandoned.id": year.ID("untidy1"),
		"holdid": uuid.New(), "eventid": uuid.New(), "eventsubject": "s", "eventpayload": []byte("p"),
		"since": now.Add(-24 * time.Hour), "most": 100, "soon": now.Add(time.Hour), "effort": 0.1, "suspectafter": 3, "workerid": year.ID("worker"),
		"Take.id": year.ID("q1"), "Beat.id": year.ID("worker"), "Excuse.id": year.ID("worker"), "Leave.id": year.ID("worker"), "LoseBefore.id": year.ID("worker"),
		"name": "n", "recorders": 2, "pace": 0.1, "grace": time.Microsecond, "Refund.id": year.ID("finishing"),
		"Begin.id": uuid.New(), "Begin.uid": year.ID("m1"), "idempotencykey": uuid.New(), "title": "An evening", "typeid": "t", "practiceid": "p", "sizeid": "s",
		"immersive": false, "trackid": "", "day": now, "askednarratorid": "", "language": "en-GB", "brief": "{}", "narratorid": "n", "narratorname": "N",
		"Narration.id": "narration-50", "LockNarration.id": "narration-50", "RetryNarration.id": "narration-50", "InsertNarration.id": "narration-new", "requesthash": []byte("h"),
		"narrationid": "narration-30", "CompleteNarration.id": "narration-30", "FailNarration.id": "narration-30", "GiveNarrationBack.id": "narration-30",
		"RestartNarration.id": "narration-30", "LoseNarration.id": "narration-50", "NarrationTidied.id": "narration-50", "AddNarrationSegment.index": 100,
		"endedat": now, "failurereason": "narration_failed", "counts": true, "CountNarrations.most": 10_000,
		"PutShare.meditationid": year.ID("r1"), "tokenhash": hashOf("a new link"), "sealedtoken": []byte("sealed"), "shownname": "Amara",
		"Shared.tokenhash": hashOf(year.ID("h1").String()), "ShareOf.meditationid": year.ID("h1"), "EndShare.meditationid": year.ID("h1"),
		"after": uuid.Nil, "madeby": now, "until": now,
		"keys": [][]byte{hashOf("1"), hashOf("2"), hashOf("new")}, "hour": now, "NoteSpoken.bytes": []int32{110_000, 110_000, 110_000},
		"OwnDraft.id": year.ID("draft1"), "ChangeDraft.id": year.ID("draft1"), "TakeDraft.id": year.ID("draft1"), "DeleteDraft.id": year.ID("draft1"), "CreateDraft.id": uuid.New(),
		"request": "{}", "revision": 1, "rewrites": 1, "takenby": year.ID("h1"), "DraftOfKey.idempotencykey": year.ID("press1"),
		"cost": 1, "createdat": now, "deadline": now.Add(time.Hour), "kind": "speech", "microunits": 7, "uids": []uuid.UUID{uuid.Nil, id},
	})
	y.CheckRetention(store.Retention())
}
