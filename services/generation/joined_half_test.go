package generation

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/meditation"
)

// A store may hold half a file. The member paid for the whole recording and gets it, or the credits back.
func TestIncompleteJoinedFileIsNotAcceptedAsRecording(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	uid := h.member(2)
	m := h.loseSound(uid)
	const half = "half of the sound"
	require.NoError(t, h.blobs.Put(t.Context(), "meditations/"+m.ID.String()+"/audio.mp3", strings.NewReader(half), int64(len(half))))
	h.pass(meditation.Patience)
	p := h.start(1, time.Minute)
	require.Equal(t, meditation.Refunded, h.ended(p, uid, m.ID).State)
	require.Equal(t, int64(2), h.billing.available(uid))
}
