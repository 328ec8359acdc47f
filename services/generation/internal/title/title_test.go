package title_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"serein.app/services/generation/internal/title"
	"serein.app/services/platform/errs"
)

func TestGoodTitlesAreKeptAsText(t *testing.T) {
	t.Parallel()
	for given, kept := range map[string]string{
		"  After the long meeting ": "After the long meeting", "Cafe\u0301": "Caf\u00e9", "🌊": "🌊", "x": "x",
		"شجرة الهدوء": "شجرة الهدوء", "<b>bold</b>": "<b>bold</b>", "Robert'); DROP TABLE": "Robert'); DROP TABLE",
		strings.Repeat("a", 80): strings.Repeat("a", 80), strings.Repeat("👩‍👩‍👧", 60): strings.Repeat("👩‍👩‍👧", 60),
	} {
		clean, err := title.Check(given)
		require.NoError(t, err, given)
		require.Equal(t, kept, clean)
	}
}

func TestEmptyTitlesAreRefused(t *testing.T) {
	t.Parallel()
	for _, given := range []string{"", "   ", "\n\t", "\u200b\u200d", "\u00a0", "\u3164", "\u115f\u1160", "\uffa0", "\u2800", "\u034f"} {
		_, err := title.Check(given)
		require.ErrorIs(t, err, title.ErrRequired, "%q", given)
	}
}

func TestLongTitlesAreRefused(t *testing.T) {
	t.Parallel()
	for _, given := range []string{strings.Repeat("a", 81), strings.Repeat("語", 81), "a" + strings.Repeat("\u0301", 400)} {
		_, err := title.Check(given)
		require.ErrorIs(t, err, title.ErrTooLong, "%q", given)
	}
}

func TestHiddenCharactersAreRefused(t *testing.T) {
	t.Parallel()
	for _, given := range []string{"a\x00b", "two\nlines", "bell\a", "turn\u202earound", "a\u2028b", "\xff\xfe"} {
		_, err := title.Check(given)
		require.ErrorIs(t, err, title.ErrInvalid, "%q", given)
	}
}

func TestProfanitiesAreRefusedHoweverTheyAreWritten(t *testing.T) {
	t.Parallel()
	for _, given := range []string{
		"shit", "SHIT happens", "what the f.u.c.k", "Fück this", "oh, fuck!", "rest-shit-rest", "ｆｕｃｋ", "bull*shit*", "a wanker's day",
	} {
		_, err := title.Check(given)
		require.ErrorIs(t, err, title.ErrProfane, given)
		require.Equal(t, "Title must not contain profanities", errs.From(err).Public)
		require.Equal(t, "title", errs.From(err).Field)
	}
}

func TestACrisisIsMetWithCareAndNotWithARemark(t *testing.T) {
	t.Parallel()
	for _, given := range []string{
		"I don't want to live anymore", "i hate myself", "I was assaulted last year", "My brother killed himself", "I fucking hate myself",
	} {
		clean, err := title.Check(given)
		require.ErrorIs(t, err, title.ErrNeedsCare, given)
		require.Empty(t, clean)
		require.Equal(t, errs.FailedPrecondition, errs.From(err).Kind)
		require.Equal(t, "title", errs.From(err).Field)
		require.NotContains(t, err.Error(), given, "errors are logged")
	}
	for _, given := range []string{"My father died last week", "dying for a coffee", "PTSD"} {
		_, err := title.Check(given)
		require.NoError(t, err, given)
	}
}

func TestACrisisIsMetWithCareBeforeAnythingIsSaidOfItsLengthOrCharacters(t *testing.T) {
	t.Parallel()
	for _, given := range []string{
		strings.Repeat("So tired of it all. ", 60) + "I want to die", "I want\tto die", "I want\nto die", "I want to die\u202e", "\x00I want to die",
		"\xff I want to die", strings.Repeat("I want to die ", 500), "I wa\u200dnt to d\u200die", "shit I want to die",
		"I\u3164want\u3164to\u3164die", "su\u3164icide", "\u3164I want to die\u3164", "want to d\u1160ie", "k\u115fill myself", "su\uffa0icide", "I\u200bwant\u200bto\u200bdie", "I\u2800want\u2800to\u2800die",
	} {
		_, err := title.Check(given)
		require.ErrorIs(t, err, title.ErrNeedsCare, "%q", given)
	}
}

func TestTheSentenceOfCareNamesWhomToCall(t *testing.T) {
	t.Parallel()
	require.Contains(t, title.ErrNeedsCare.Public, "Samaritans")
	require.Contains(t, title.ErrNeedsCare.Public, "116 123")
	require.Contains(t, title.ErrNeedsCare.Public, "999")
}

func TestAJoinerJoinsEmojiAlone(t *testing.T) {
	t.Parallel()
	_, err := title.Check(strings.Repeat("a\u200d", 80))
	require.NoError(t, err)
	for _, given := range []string{strings.Repeat("a\u200d", 81), strings.Repeat("😀\u200da", 41), strings.Repeat("क\u200d", 81)} {
		_, err := title.Check(given)
		require.ErrorIs(t, err, title.ErrTooLong, "%q", given)
	}
}

func TestInnocentWordsPass(t *testing.T) {
	t.Parallel()
	for _, given := range []string{
		"Scunthorpe", "Assess the day", "My cockatoo", "Class of Essex", "Shiitake", "Cocktail hour", "Dickens", "Pass it on", "Arsenal",
	} {
		_, err := title.Check(given)
		require.NoError(t, err, given)
	}
}

func TestWhatIsKeptIsKeptAgainUnchanged(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		clean, err := title.Check(rapid.String().Draw(rt, "title"))
		if err != nil {
			return
		}
		again, err := title.Check(clean)
		require.NoError(rt, err)
		require.Equal(rt, clean, again)
		require.True(rt, norm.NFC.IsNormalString(clean))
	})
}
