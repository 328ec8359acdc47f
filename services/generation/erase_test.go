package generation

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
	"serein.app/services/platform/erasure"
)

// keeps adds a meditation of a member in a state, with a file.
func (h *harness) keeps(uid uuid.UUID, state string, settled bool) uuid.UUID {
	h.t.Helper()
	id := uuid.New()
	h.exec(`INSERT INTO meditations (id, uid, title, type_id, practice_id, size_id, immersive, track_id, day, brief, narrator_id,
			narrator_name, cost, hold_id, state, settled, created_at, deadline, ended_at)
		VALUES ($1, $2, 'A lantern', 'x', 'x', 'x', false, '', '2026-11-21', '{}', 'x', 'x', 1, gen_random_uuid(), $3, $4, now(),
			now() + interval '1 minute', now())`, id, uid, state, settled)
	return id
}

func TestADeletedMembersMeditationsGoWithTheirFilesAndNobodyElses(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	blobs := &stuckBlobs{Store: h.blobs, stuck: map[string]bool{}}
	p := h.start(1, time.Minute, func(ports *meditation.Ports) { ports.Blobs = blobs })
	uid, other := h.member(8), h.member(8)
	made, err := p.Create(t.Context(), uid, request())
	require.NoError(t, err)
	h.ended(p, uid, made.ID)
	kept, err := p.Create(t.Context(), other, request())
	require.NoError(t, err)
	h.ended(p, other, kept.ID)
	for range 150 { // more than are looked at together
		h.keeps(uid, "cancelled", true)
	}
	open := h.keeps(uid, "failed", false)
	d := erasure.Deletion{ID: uuid.New(), UID: uid}

	blobs.stuck[made.ID.String()] = true
	require.ErrorIs(t, p.Erase(t.Context(), d), errDisk)
	require.NotZero(t, h.count(`SELECT count(*) FROM scripts WHERE meditation_id = $1`, made.ID), "the words stay until the sound is gone")
	delete(blobs.stuck, made.ID.String())
	require.ErrorIs(t, p.Erase(t.Context(), d), erasure.ErrPending, "billing is to be told first")
	require.Equal(t, 1, h.count(`SELECT count(*) FROM meditations WHERE uid = $1`, uid))
	h.exec(`UPDATE meditations SET settled = true WHERE id = $1`, open)
	require.NoError(t, p.Erase(t.Context(), d))
	require.NoError(t, p.Erase(t.Context(), d), "again changes nothing")

	files, err := h.blobs.List(t.Context(), "meditations/"+made.ID.String())
	require.NoError(t, err)
	require.Empty(t, files)
	require.Zero(t, h.count(`SELECT count(*) FROM meditations WHERE uid = $1`, uid))
	require.NotEmpty(t, h.audio(p, other, kept.ID))
}
