package flite

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// plain says how to speak marks that the synthesiser does not know.
var plain = strings.NewReplacer(
	"’", "'", "‘", "'", "“", "", "”", "", "—", ", ", "–", ", ", "…", ", ", ";", ",", "&", " and ",
	"æ", "ae", "Æ", "Ae", "œ", "oe", "Œ", "Oe", "ß", "ss", "ø", "o", "Ø", "O", "ł", "l", "Ł", "L",
)

// speakable keeps what the synthesiser can pronounce: accents are folded, typographic marks
// become plain ones, everything else (emoji, control characters, markup, other scripts) is a
// space. A text without a letter or digit is empty.
func speakable(text string) string {
	var b strings.Builder
	spoken, space := false, false
	for _, r := range norm.NFD.String(plain.Replace(text)) {
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		letter := r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
		if !letter && !strings.ContainsRune(".,:?!'-", r) {
			space = b.Len() > 0
			continue
		}
		if space && !strings.ContainsRune(".,:?!", r) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		spoken, space = spoken || letter, false
	}
	if !spoken {
		return ""
	}
	return b.String()
}
