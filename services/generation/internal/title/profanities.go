package title

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// profanities are refused as whole words, in the form that fold gives them.
var profanities = map[string]bool{
	"arse": true, "arsehole": true, "asshole": true, "bastard": true, "bastards": true, "bitch": true,
	"bitches": true, "bollocks": true, "bugger": true, "bullshit": true, "cock": true, "cocksucker": true,
	"cunt": true, "cunts": true, "dick": true, "dickhead": true, "faggot": true, "fuck": true, "fucked": true,
	"fucker": true, "fuckers": true, "fucking": true, "fucks": true, "motherfucker": true, "motherfucking": true,
	"nigger": true, "piss": true, "pissed": true, "prick": true, "pussy": true, "shit": true, "shite": true,
	"shits": true, "shitty": true, "slut": true, "tosser": true, "twat": true, "wank": true, "wanker": true,
	"whore": true,
}

// Profane says whether a text has a word that no title may have. It compares whole words, whatever their case, accents and the
// punctuation in and around them.
func Profane(text string) bool {
	for _, word := range strings.FieldsFunc(text, separates) {
		if profanities[fold(word)] {
			return true
		}
		// "rest-shit" hides a word behind a mark, "f.u.c.k" has marks inside one.
		for _, part := range strings.FieldsFunc(word, notLetter) {
			if profanities[fold(part)] {
				return true
			}
		}
	}
	return false
}

func separates(r rune) bool { return unicode.IsSpace(r) }

// notLetter keeps the marks of letters with them.
func notLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }

// fold leaves the bare letters: case, compatibility forms, accents and punctuation are gone.
func fold(word string) string {
	bare := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, norm.NFKD.String(word))
	return cases.Fold().String(bare)
}
