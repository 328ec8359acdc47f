package typed_test

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/typed"
)

func TestACodeIsReadHoweverItIsTypedOrPasted(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"042817", " 042 817\n", "042-817", "042–817", "０４２８１７", "٠٤٢٨١٧", "۰۴۲۸۱۷", "०४२८१७", "042\u00a0817", "042\u200b817", "\u200e042817\u200f", "Code: 042817.", "𝟎𝟒𝟐𝟖𝟏𝟕",
	} {
		require.Equal(t, "042817", typed.Digits(text), "%q", text)
	}
	for text, digits := range map[string]string{"": "", "none": "", "½²": ""} {
		require.Equal(t, digits, typed.Digits(text), "%q", text)
	}
	for _, text := range []string{"abcd2345ef", "ABCD 2345 EF", "abcd-2345-ef\u200b", "ＡＢＣＤ２３４５ＥＦ"} {
		require.Equal(t, "ABCD2345EF", typed.LettersAndDigits(text), "%q", text)
	}
}

func TestANameHasItsDirectionByItsLetters(t *testing.T) {
	t.Parallel()
	for text, name := range map[string]string{
		" Amara ": "Amara", "\u200fנסיים\u200f": "נסיים", "\u200e Zoë": "Zoë", "\u061cأمارا": "أمارا", "A\u202eB": "A\u202eB", "\u200f": "",
	} {
		require.Equal(t, name, typed.Name(text), "%q", text)
	}
}

// The ranges are those of the Unicode version that Go knows.
func TestEveryRangeOfDigitsIsMadeOfTens(t *testing.T) {
	t.Parallel()
	for _, in := range unicode.Nd.R16 {
		require.EqualValues(t, 1, in.Stride)
		require.Zero(t, (in.Hi-in.Lo+1)%10, "%x", in.Lo)
	}
	for _, in := range unicode.Nd.R32 {
		require.EqualValues(t, 1, in.Stride)
		require.Zero(t, (in.Hi-in.Lo+1)%10, "%x", in.Lo)
	}
}
