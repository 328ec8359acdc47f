package typeset_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/sfnt"
	"pgregory.net/rapid"

	"serein.app/services/billing/internal/receipt/typeset"
)

// each measures a letter as one wide, and a mark as nothing.
func each(_ typeset.Face, text string) float64 {
	width := 0
	for _, r := range text {
		if !unicode.Is(unicode.M, r) {
			width++
		}
	}
	return float64(width)
}

// written is what the lines show, from left to right.
func written(lines []typeset.Line) []string {
	var all []string
	for _, line := range lines {
		var text strings.Builder
		for _, run := range line.Runs {
			text.WriteString(run.Text)
		}
		all = append(all, text.String())
	}
	return all
}

func set(text string) []typeset.Line { return typeset.Lines(text, 1000, each) }

func TestATextIsWrittenInItsOwnScriptOrElseInLatinLetters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Ada Łukasz Ωmega Жанна":    "Ada Łukasz Ωmega Жанна",
		"Nguyễn Thị Ánh":            "Nguyễn Thị Ánh",
		"Ne\u0301e":                 "Née",
		"山田 太郎":                     "山田 太郎",
		"東京都千代田区１丁目":                "東京都千代田区１丁目",
		"さくら タワー":                   "さくら タワー",
		"陳大文":                       "陳大文",
		"张伟":                        "Zhang Wei",
		"北京市朝阳区建国路93号院":             "Bei Jing Shi Zhao Yang Qu Jian Guo Lu 93 Hao Yuan",
		"김민준":                       "Gimminjun",
		"서울 강남구":                    "Seoul Gangnamgu",
		"राजेश शर्मा":               "Raajesh Shrmaa",
		"สมชาย":                     "Smchaay",
		"张さんカタ１２":                   "Zhang sankata12",
		"שָׂרָה":                    "הרש",
		"Աննա":                      "Աննա",
		"ანა":                       "ანა",
		"𝓐𝓭𝓪":                       "Ada",
		"Ada 🙂👩🏽‍🚀 Byron 🇬🇧":        "Ada Byron",
		"🙂":                         "",
		"𠮷野":                        "野",
		"\u202eAda\u202c\x00\u200b": "Ada",
		"Ada\n\tByron":              "Ada Byron",
		"\u0301Ada":                 "Ada",
		"\xff":                      "",
	} {
		require.Equal(t, want, strings.Join(written(set(text)), "|"), text)
	}
}

func TestEachScriptHasAFontOfItsOwn(t *testing.T) {
	t.Parallel()
	for text, face := range map[string]typeset.Face{
		"Ada": typeset.Go, "Жанна": typeset.Go, "Nguyễn": typeset.Go, "Աննա": typeset.DejaVu, "שרה 12": typeset.DejaVu, "سارة": typeset.DejaVu, "山田": typeset.MPlus,
	} {
		lines := set(text)
		require.Equal(t, face, lines[0].Runs[len(lines[0].Runs)-1].Face, text)
	}
	mixed := set("Ada 山田 שרה")
	require.Equal(t, []typeset.Run{{typeset.Go, "Ada "}, {typeset.MPlus, "山田 "}, {typeset.DejaVu, "הרש"}}, mixed[0].Runs)
}

// The forms stand from left to right, so the last letter comes first.
func TestArabicLettersJoin(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"محمد":         "\ufeaa\ufee4\ufea4\ufee3", // initial, medial, medial, final
		"دار":          "\ufead\ufe8d\ufea9",       // joins to nothing
		"سلام":         "\ufee1\ufefc\ufeb3",       // lam and alef in one
		"لا":           "\ufefb",
		"پ":            "\ufb56",
		"علی\u200cرضا": "\ufe8e\ufebf\ufead\ufbfd\ufee0\ufecb", // kept apart without a joiner
		"مَدّ أَ":      "\ufe83 \ufeaa\ufee3",                  // without the marks, which would stand beside their letters
		"ـه":           "\ufeea\u0640",
	} {
		require.Equal(t, []string{want}, written(set(text)), text)
	}
}

func TestWhatGoesRightToLeftIsTurnedAndTheRestIsNot(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"שלום":                  "םולש",
		"רחוב 12 תל":            "לת 12 בוחר",
		"Ada שלום 12 abc":       "Ada 12 םולש abc",
		"Ada שלום, גן (12) end": "Ada (12) ןג ,םולש end",
		"שרה (Sarah) כהן":       "ןהכ (Sarah) הרש",
		"(שרה)":                 "(הרש)",
		"Flat 3, 1 Mill Lane":   "Flat 3, 1 Mill Lane",
	} {
		require.Equal(t, []string{want}, written(set(text)), text)
	}
	require.True(t, set("שלום Ada")[0].RightToLeft)
	require.False(t, set("Ada שלום")[0].RightToLeft)
	require.False(t, set("12")[0].RightToLeft)
}

func TestLongTextsWrap(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"one two three":    {"one two", "three"},
		"abcdefghijklmno":  {"abcdefgh", "ijklmno"},
		"a bcdefghijklmno": {"a", "bcdefghi", "jklmno"},
		"山田太郎東京都千代田":       {"山田太郎東京都千", "代田"},
		"שלום רב חברים":    {"בר םולש", "םירבח"},
		"   ":              nil,
		"":                 nil,
	} {
		require.Equal(t, want, written(typeset.Lines(text, 8, each)), text)
	}
	for _, line := range typeset.Lines("שלום Ada Byron רב", 6, each) {
		require.True(t, line.RightToLeft, "a line goes as its text does")
	}
	require.Len(t, typeset.Lines("ab", 0.5, each), 2, "a letter that is wider than the line stands all the same")
}

// Whatever is typed, each letter has a glyph and no line is too wide.
func TestNoLetterIsABox(t *testing.T) {
	t.Parallel()
	fonts := map[typeset.Face][2]*sfnt.Font{}
	for _, face := range typeset.Faces {
		regular, err := sfnt.Parse(face.TTF(false))
		require.NoError(t, err)
		bold, err := sfnt.Parse(face.TTF(true))
		require.NoError(t, err)
		fonts[face] = [2]*sfnt.Font{regular, bold}
	}
	letter := rapid.OneOf(
		rapid.Int32Range(0, unicode.MaxRune), rapid.Int32Range(0x20, 0x5FF), rapid.Int32Range(0x590, 0x7FF), rapid.Int32Range(0x900, 0xFFF),
		rapid.Int32Range(0x2000, 0x206F), rapid.Int32Range(0x300, 0x36F), rapid.Int32Range(0x3000, 0x9FFF), rapid.Int32Range(0xFB00, 0xFFFF),
		rapid.Int32Range(0x1F000, 0x1FAFF),
	)
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOfN(letter, 0, 40).Draw(t, "letters"))
		for _, line := range typeset.Lines(text, 10, each) {
			require.NotEmpty(t, line.Runs)
			var width float64
			for _, run := range line.Runs {
				require.NotEmpty(t, run.Text)
				require.True(t, utf8.ValidString(run.Text))
				width += each(run.Face, run.Text)
				for _, r := range run.Text {
					for _, font := range fonts[run.Face] {
						glyph, err := font.GlyphIndex(nil, r)
						require.NoError(t, err)
						require.NotZero(t, glyph, "%U in %s", r, run.Face)
					}
				}
			}
			require.LessOrEqual(t, width, 10.0)
		}
	})
}
