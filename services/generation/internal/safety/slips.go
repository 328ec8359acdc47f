package safety

import "sync"

// keyWords are what crisis titles turn on, so that a slip of the fingers in one must not hide it.
var keyWords = []string{
	"want", "wants", "wanted", "wanting", "wanna", "die", "dying", "dead", "death", "kill", "killed", "killing", "suicide", "suicidal",
	"myself", "live", "living", "alive", "exist", "life", "hurt", "hurting", "harm", "rape", "raped",
}

// minLetters of a key word whose slips may also lack a letter or have one too many: what is left of
// shorter ones is too often another word, as "harm" without a letter is "arm".
const minLetters = 6

// otherWords are slips of one word that are another, as "exits" of "exist".
var otherWords = map[string]bool{"ide": true, "exits": true, "waned": true, "waning": true}

// slips leads from every slip of a key word to the word, both squeezed.
var slips = sync.OnceValue(func() map[string]string {
	right := map[string]string{}
	for _, word := range keyWords {
		for _, slip := range slipsOf(word) {
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

// spelled is the squeezed word, without a slip where it is a key word.
func spelled(word string) string {
	if right, ok := slips()[word]; ok {
		return right
	}
	return word
}
