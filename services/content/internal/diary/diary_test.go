package diary_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/diary"
	"serein.app/services/platform/pagetoken"
)

func TestAMinuteIsWorthAnEntryOrHalfOfWhatIsShorter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		heard, duration time.Duration
		want            bool
	}{
		{59 * time.Second, time.Hour, false},
		{time.Minute, time.Hour, true},
		{30 * time.Second, time.Minute, true},
		{29 * time.Second, time.Minute, false},
		{0, time.Millisecond, false},
	} {
		require.Equal(t, c.want, diary.IsWorthAnEntry(c.heard, c.duration), "%v of %v", c.heard, c.duration)
	}
}

func TestASittingGoesOnForHalfAnHourAfterTheLastSound(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)
	require.True(t, diary.GoesOn(now.Add(-29*time.Minute), now))
	require.False(t, diary.GoesOn(now.Add(-30*time.Minute), now))
}

func TestTheDayIsTheMembersOwn(t *testing.T) {
	t.Parallel()
	late := time.Date(2027, 2, 28, 23, 30, 0, 0, time.UTC)
	for offset, want := range map[time.Duration]string{0: "2027-02-28", time.Hour: "2027-03-01", -12 * time.Hour: "2027-02-28", 14 * time.Hour: "2027-03-01"} {
		require.Equal(t, want, diary.Listened{Began: late, UTCOffset: offset}.Day().Format(time.DateOnly), offset)
	}
}

func TestALineIsOneLineWithoutControlCharacters(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"  Slept at last. ":     "Slept at last.",
		"one\r\ntwo\tthree":     "one two three",
		"a\x00b\u0085c\u2028d":  "a b c d",
		" \n":                   "",
		"I don’t want to go on": "I don’t want to go on",
	} {
		require.Equal(t, want, diary.Line(given))
	}
}

func TestADayIsOneThatHasComeSomewhere(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 3, 1, 9, 30, 0, 0, time.UTC)
	for _, day := range []string{"2000-01-01", "2027-03-01", "2024-02-29"} {
		got, err := diary.ParseDay(day, now)
		require.NoError(t, err)
		require.Equal(t, day, got.Format(time.DateOnly))
	}
	for _, day := range []string{"1999-12-31", "2027-03-02", "2027-02-29", "0000-00-00", ""} {
		_, err := diary.ParseDay(day, now)
		require.ErrorIs(t, err, diary.ErrDay, day)
	}
	_, err := diary.ParseDay("2027-03-02", now.Add(time.Hour))
	require.NoError(t, err, "it is tomorrow in Kiribati")
}

func TestAPageTokenIsAPlaceInTheDiary(t *testing.T) {
	t.Parallel()
	e := diary.Entry{ID: uuid.New(), Day: time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC), At: time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC)}
	token := pagetoken.Encode(e.Place())
	require.LessOrEqual(t, len(token), pagetoken.MaxLen)
	got, err := diary.ParsePlace(token)
	require.NoError(t, err)
	require.Equal(t, e.Place(), got)
	top, err := diary.ParsePlace("")
	require.NoError(t, err)
	require.Equal(t, diary.Top, top)
	for _, odd := range []string{"x", strings.Repeat("a", 300), pagetoken.Encode(diary.Place{Day: "yesterday"})} {
		_, err := diary.ParsePlace(odd)
		require.ErrorIs(t, err, pagetoken.ErrInvalid)
	}
}
