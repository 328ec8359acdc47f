package publication

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"serein.app/services/generation/internal/recording"
)

func TestCaptionsSayWhenEachSentenceIsHeard(t *testing.T) {
	t.Parallel()
	parts := []recording.Passage{
		{Pause: 6 * time.Second},
		{Sentences: []string{"Rest & be  <still>."}, Pause: 800 * time.Millisecond},
		{Sentences: []string{"Nothing more is asked."}, Pause: 2 * time.Second},
	}
	stored := []Segment{{Duration: 6 * time.Second}, {Index: 1, Duration: 3300 * time.Millisecond}, {Index: 2, Duration: time.Hour + 4*time.Second}}
	require.Equal(t, `WEBVTT

00:00:06.000 --> 00:00:08.500
Rest &amp; be &lt;still&gt;.

00:00:09.300 --> 01:00:11.300
Nothing more is asked.
`, string(captions(parts, stored)))
}
