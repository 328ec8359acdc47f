package narration_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
)

// voices are hashes of one short recording by each narrator. A change of a voice that members know changes its hash.
var voices = map[string]string{
	"maren":  "37a683ebbcc6a0dc",
	"isla":   "fb7f0e226d35f125",
	"wren":   "2228b46a9f3925d7",
	"tomas":  "a5ad91fc6d416c3f",
	"callum": "d510c9fbaa830c0a",
	"ansel":  "2b240b92a95ee6de",
}

// A recording that a crash has cut off is continued by a process of another build, so voices keep their bytes. This
// file is for amd64 alone: other processors round some products otherwise, and their bytes differ where nobody hears it.
func TestEveryNarratorKeepsTheirVoiceToTheByte(t *testing.T) {
	t.Parallel()
	r := newRecorder(t, openFlite(t), openCodec(t), 2)
	short := recording.Script{Passages: []recording.Passage{
		{Sentences: []string{"Rest here, for a while.", "Nothing is asked of you."}, Pause: time.Second},
	}}
	heard := map[string]string{}
	for _, narrator := range r.Narrators() {
		sum := sha256.Sum256(join(record(t, r, narrator.ID, short, 0, 0)))
		heard[narrator.ID] = hex.EncodeToString(sum[:8])
	}
	require.Equal(t, voices, heard)
}
