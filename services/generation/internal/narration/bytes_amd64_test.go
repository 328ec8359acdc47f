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
	"maren":  "0a1ad67d74d63017",
	"isla":   "7f9d1a62563b3697",
	"wren":   "4151eb9b4fa78cfe",
	"tomas":  "8a928904cdeecf10",
	"callum": "741a8eef829814e6",
	"ansel":  "7b47b51d35dc9417",
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
