package meditation

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"serein.app/services/generation/internal/recording"
)

func TestTheSeedTellsRequestsApart(t *testing.T) {
	t.Parallel()
	m := Meditation{UID: uuid.UUID{1}, Request: Request{Title: "a", TypeID: "b", PracticeID: "c", SizeID: "d", Day: "2026-11-21"}}
	again := m
	require.Equal(t, m.Seed(), again.Seed())
	for name, change := range map[string]func(*Meditation){
		"member":   func(m *Meditation) { m.UID = uuid.UUID{2} },
		"title":    func(m *Meditation) { m.Title = "A" },
		"type":     func(m *Meditation) { m.TypeID = "x" },
		"practice": func(m *Meditation) { m.PracticeID = "x" },
		"size":     func(m *Meditation) { m.SizeID = "x" },
		"day":      func(m *Meditation) { m.Day = "2026-11-22" },
		"borders":  func(m *Meditation) { m.Title, m.TypeID = "ab", "" },
	} {
		other := m
		change(&other)
		require.NotEqual(t, m.Seed(), other.Seed(), name)
	}
}

func TestTheExpectedLengthEndsExactAndNeverFallsBelowWhatIsReady(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		narrator := recording.Narrator{WordsPerMinute: rapid.Float64Range(80, 180).Draw(t, "pace")}
		n := rapid.IntRange(1, 30).Draw(t, "passages")
		script, segments := recording.Script{}, make([]recording.Segment, n)
		var whole time.Duration
		for i := range n {
			words := rapid.IntRange(1, 60).Draw(t, "words")
			silence := time.Duration(rapid.IntRange(1, 10).Draw(t, "silence")) * time.Second
			spoken := time.Duration(words) * time.Duration(rapid.IntRange(300, 700).Draw(t, "word")) * time.Millisecond
			text := strings.TrimSpace(strings.Repeat("calm ", words))
			script.Words += words
			script.Passages = append(script.Passages, recording.Passage{Sentences: []string{text}, Pause: silence})
			segments[i] = recording.Segment{Index: i, Start: whole, Duration: spoken + silence, Silence: silence, Lines: []recording.Line{{Text: text}}}
			whole += spoken + silence
		}
		require.Positive(t, expect(script, narrator, nil))
		var ready time.Duration
		for i := range segments {
			ready += segments[i].Duration
			require.GreaterOrEqual(t, expect(script, narrator, segments[:i+1]), ready)
		}
		require.Equal(t, whole, expect(script, narrator, segments))
	})
}

func TestBackoffGrowsAndStaysBounded(t *testing.T) {
	t.Parallel()
	require.Equal(t, 250*time.Millisecond, backoff(0))
	last := time.Duration(0)
	for tries := range 100 {
		require.GreaterOrEqual(t, backoff(tries), last)
		last = backoff(tries)
	}
	require.Equal(t, 10*time.Second, last)
}

func TestAHoldOutlivesTheWork(t *testing.T) {
	t.Parallel()
	require.Greater(t, HoldTime, Patience+HoldingTime)
}

func TestOnlyThePlainFormOfAnIDIsOne(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse("01a1fc32-6def-7867-a724-f88c427cd082")
	parsed, err := ParseID(id.String())
	require.NoError(t, err)
	require.Equal(t, id, parsed)
	for _, other := range []string{"", "1", "../../etc/passwd", "' OR 1=1 --", "\x00", "{" + id.String() + "}", id.URN(), "01a1fc326def7867a724f88c427cd082"} {
		_, err := ParseID(other)
		require.ErrorIs(t, err, ErrNotFound, other)
	}
}
