package account

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestACommonPasswordIsRefusedHoweverItsLettersAreWrittenAndHoweverOftenItIsRepeated(t *testing.T) {
	t.Parallel()
	for _, password := range []string{
		"1iverpoo1!!", "|iverpoo|99", "L!verpool99", "p4$$w0rd99!", // one sign stands for two letters
		"abcabcabcabc", "123412341234", "craftedcalm1", "Crafted Calm 26", "cr4fted-c4lm!!", "liverpoolliverpool", "Liverpoolliverpool1!", "monkeymonkeymonkey",
	} {
		_, err := ParsePassword(password, "someone", "someone@example.org")
		require.ErrorIs(t, err, ErrInvalidPassword, password)
	}
	_, err := ParsePassword("liverpool harbour lights", "someone", "someone@example.org")
	require.NoError(t, err, "one of several words")
	_, err = ParsePassword("🧘🌧🌿🍃🌊🔥🌙⭐🍂🌸violet", "someone", "someone@example.org")
	require.NoError(t, err, "ten emoji are more than the word beside them")
}
