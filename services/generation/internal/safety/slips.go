package safety

import (
	"slices"
	"sync"
)

// keyWords are what crisis titles turn on, so that a slip of the fingers in one must not hide it.
var keyWords = []string{
	"want", "wants", "wanted", "wanting", "wanna", "die", "dying", "dead", "death", "kill", "killed", "killing", "suicide", "suicidal",
	"myself", "live", "living", "alive", "exist", "life", "hurt", "hurting", "harm", "rape", "raped",
}

// minLetters of a key word whose slips may also lack a letter or have one too many: what is left of
// shorter ones is too often another word, as "harm" without a letter is "arm".
const minLetters = 6

// otherWords are slips of one word that are another, as "exits" of "exist".
var otherWords = map[string]bool{"ide": true, "exits": true, "waned": true, "waning": true, "wang": true, "ana": true, "sana": true, "ant": true}

// slips leads from every slip of a key word to the word, both squeezed.
var slips = sync.OnceValue(func() map[string]string {
	right := map[string]string{}
	for _, word := range keyWords {
		for _, slip := range append(slipsOf(word), neighboursOf(word)...) {
			if slip = squeeze(slip); !otherWords[slip] {
				right[slip] = squeeze(word)
			}
		}
	}
	for _, word := range keyWords {
		delete(right, squeeze(word))
	}
	return right
})

// slipsOf a word: two neighbouring letters exchanged; in long words also a letter left out, or one
// of the word's own typed again where it does not belong, as in "sucicide".
func slipsOf(word string) (forms []string) {
	for i := range len(word) - 1 {
		forms = append(forms, word[:i]+word[i+1:i+2]+word[i:i+1]+word[i+2:])
	}
	if len(word) < minLetters {
		return forms
	}
	for i := 1; i < len(word); i++ {
		forms = append(forms, word[:i]+word[i+1:])
		for _, again := range word {
			forms = append(forms, word[:i]+string(again)+word[i:])
		}
	}
	return forms
}

// neighbours of the keys on a keyboard. A neighbour in place of a letter is tried for the words of
// missed alone: in others what is left is too often another word, as "love" of "live".
var (
	neighbours = map[rune]string{
		'a': "qwsz", 'b': "vghn", 'c': "xdfv", 'd': "serfcx", 'e': "wsdr", 'f': "drtgvc", 'g': "ftyhbv", 'h': "gyujnb", 'i': "ujko", 'k': "jiolm",
		'l': "kop", 'm': "njk", 'n': "bhjm", 's': "awedxz", 't': "rfgy", 'u': "yhji", 'w': "qase", 'y': "tghu",
	}
	missed = map[string]bool{"want": true, "wanna": true, "myself": true, "suicide": true, "suicidal": true}
)

func neighboursOf(word string) (forms []string) {
	if !missed[word] {
		return nil
	}
	for i, r := range word {
		for _, near := range neighbours[r] {
			forms = append(forms, word[:i]+string(near)+word[i+1:])
		}
	}
	return forms
}

// spelled is the squeezed word, without a slip where it is a key word.
func spelled(word string) string {
	if right, ok := slips()[word]; ok {
		return right
	}
	return word
}

// keys are the words, squeezed, that a token with signs in it is tried for.
var keys = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for _, word := range slices.Concat(keyWords, signedWords) {
		known[squeeze(word)] = true
	}
	return known
})

// signedWords are further words that people write with signs for letters.
var signedWords = []string{
	"self", "selfharm", "harming", "cut", "cutting", "cuts", "slit", "wrist", "wrists", "hang", "hanging", "hanged", "noose", "overdose", "overdosed", "pills",
	"knife", "gun", "blood", "bleed", "rapes", "raping", "rapist", "abuse", "abused", "abuser", "abusive", "assault", "assaulted", "sexual", "sexually",
	"sex", "molest", "molested", "incest", "groomed", "violence", "beat", "beats", "hit", "hits", "hate", "worthless", "suicides", "unalive", "kms", "kys",
	"no", "not", "dont", "end", "ending", "my", "it", "to", "burn", "burning", "strangled", "choked", "stabbed", "murder", "shoot",
}
