package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	store "serein.app/services/generation/internal/postgres"
	"serein.app/services/testkit"
)

// Another member's scripts, later ones, those marked deleted and meditations without a script are not among them.
func TestWhatWasSpokenLatelyIsTheMembersOwnFromBeforeTheNewestFirst(t *testing.T) {
	t.Parallel()
	db := testkit.Postgres(t, "generation", store.Migrate)
	start := time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)
	uid := uuid.New()
	insert := func(owner uuid.UUID, day int, deletes *time.Time, script string) uuid.UUID {
		id := uuid.Must(uuid.NewV7())
		at := start.AddDate(0, 0, day)
		_, err := db.Pool.Exec(t.Context(), `INSERT INTO meditations (id, uid, title, type_id, practice_id, size_id, immersive, track_id, day,
				brief, narrator_id, narrator_name, cost, hold_id, state, settled, tidied, passages_total, passages_done, audio_bytes, created_at, deadline, ended_at, deletes_at)
			VALUES ($1, $2, 'Rest', 't', 'p', 's', false, '', '2027-03-01', '{}', 'n', 'N', 1, $1, 'ready', true, true, 1, 1, 1,
				$3::timestamptz, $3::timestamptz + interval '1 hour', $3, $4)`, id, owner, at, deletes)
		require.NoError(t, err)
		if script != "" {
			_, err = db.Pool.Exec(t.Context(), "INSERT INTO scripts VALUES ($1, $2)", id,
				fmt.Sprintf(`[{"sentences": ["%s one.", "%s two."], "pause_us": 0}, {"sentences": ["%s three."], "pause_us": 0}]`, script, script, script))
			require.NoError(t, err)
		}
		return id
	}
	insert(uid, 0, nil, "First")
	inside := insert(uid, 1, nil, "Second")
	_, err := db.Pool.Exec(t.Context(), "UPDATE meditations SET kept_inside = true WHERE id = $1", inside)
	require.NoError(t, err)
	insert(uid, 2, nil, "")
	insert(uid, 2, &start, "Deleted")
	insert(uuid.New(), 2, nil, "Other")
	insert(uid, 3, nil, "Third")
	now := insert(uid, 4, nil, "Now")
	insert(uid, 5, nil, "Later")

	kept := store.New(db.Pool, nil)
	m := meditation.Meditation{ID: now, UID: uid, CreatedAt: start.AddDate(0, 0, 4)}
	spoken, tellable, err := kept.SpokenLately(t.Context(), m, 30)
	require.NoError(t, err)
	require.Equal(t, [][]string{
		{"Third one.", "Third two.", "Third three."}, {"Second one.", "Second two.", "Second three."}, {"First one.", "First two.", "First three."},
	}, spoken)
	require.Equal(t, [][]string{spoken[0], spoken[2]}, tellable, "not the one that was kept inside")
	spoken, _, err = kept.SpokenLately(t.Context(), m, 2)
	require.NoError(t, err)
	require.Len(t, spoken, 2)
	spoken, _, err = kept.SpokenLately(t.Context(), meditation.Meditation{ID: now, UID: uuid.New(), CreatedAt: m.CreatedAt}, 30)
	require.NoError(t, err)
	require.Empty(t, spoken)
}
