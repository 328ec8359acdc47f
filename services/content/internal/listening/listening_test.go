package listening_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/listening"
)

func TestADeviceThatPlaysHoldsOthersBackForTwentySeconds(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)
	phone, desk := uuid.New(), uuid.New()
	for name, c := range map[string]struct {
		newest listening.Newest
		start  listening.Start
		want   bool
	}{
		"nothing was begun":      {listening.Newest{}, listening.Start{Device: desk}, false},
		"another one plays":      {listening.Newest{Device: phone, Playing: true, At: now.Add(-19 * time.Second)}, listening.Start{Device: desk}, true},
		"another one is taken":   {listening.Newest{Device: phone, Playing: true, At: now}, listening.Start{Device: desk, TakeOver: true}, false},
		"another one is silent":  {listening.Newest{Device: phone, Playing: true, At: now.Add(-20 * time.Second)}, listening.Start{Device: desk}, false},
		"another one has paused": {listening.Newest{Device: phone, At: now}, listening.Start{Device: desk}, false},
		"a tab of the same one":  {listening.Newest{Device: desk, Playing: true, At: now}, listening.Start{Device: desk}, false},
	} {
		require.Equal(t, c.want, c.newest.HoldsBack(c.start, now), name)
	}
}

func TestNearerThanThreeSecondsToItsEndItIsHeardAndBeginsAgain(t *testing.T) {
	t.Parallel()
	for at, want := range map[time.Duration]time.Duration{0: 0, 57 * time.Second: 57 * time.Second, 57*time.Second + 1: 0, time.Minute: 0, time.Hour: 0} {
		w := listening.Write{Position: at, Duration: time.Minute}
		require.Equal(t, want, w.Kept(), at)
		require.Equal(t, at > 0 && want == 0, w.Finished(), at)
	}
}

func TestListeningHasMovedWhereALaterTurnHasTheItemOrPlays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		playing        bool
		ofItem, newest int64
		want           bool
	}{
		"its own turn":                 {true, 4, 4, false},
		"a later one of the item":      {false, 5, 5, true},
		"a later one of another":       {true, 4, 5, true},
		"a later one, and this pauses": {false, 4, 5, false},
		"it is not kept any more":      {false, 0, 7, true},
	} {
		require.Equal(t, c.want, listening.Write{Turn: 4, Playing: c.playing}.Moved(c.ofItem, c.newest), name)
	}
}

func TestHeardIsWhatPlayedAndNeitherWhatWasSkippedNorWhatWasWaitedFor(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		from, to, after time.Duration
		paused          bool
		want            time.Duration
	}{
		"ten seconds":                  {time.Minute, 70 * time.Second, 10 * time.Second, false, 10 * time.Second},
		"a skip forwards":              {time.Minute, 9 * time.Minute, 3 * time.Second, false, 3 * time.Second},
		"a skip backwards":             {time.Minute, 10 * time.Second, 3 * time.Second, false, 0},
		"a wait for the sound":         {time.Minute, 62 * time.Second, 40 * time.Second, false, 2 * time.Second},
		"half a minute that came late": {time.Minute, 90 * time.Second, 30 * time.Second, false, 30 * time.Second},
		"a pause":                      {time.Minute, 70 * time.Second, 10 * time.Second, true, 0},
	} {
		before := listening.Before{Position: c.from, Playing: !c.paused, At: now.Add(-c.after)}
		require.Equal(t, c.want, listening.Write{Position: c.to, Duration: time.Hour}.Heard(before, now), name)
	}
}
