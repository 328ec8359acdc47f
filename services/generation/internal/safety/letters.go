package safety

import (
	"slices"
	"strings"
	"unicode"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/unicode/norm"
)

// apostrophes as people type them, and what stands for them.
var apostrophes = strings.NewReplacer("’", "'", "‘", "'", "`", "'", "´", "'", "ʼ", "'", "′", "'", "‛", "'", "＇", "'", "&#39;", "'", "&apos;", "'")

// unmark takes apostrophes out of words: "don't" is "dont". What would be another word without them
// is written out.
var unmark = strings.NewReplacer("'ll", " will", "'re", " are", "'ve", " have", "'LL", " will", "'RE", " are", "'VE", " have", "'", "")

// lookalikes are what Unicode's table of confusables (UTS #39, package confusable) leaves out or
// leads to something other than a Latin letter: small capitals, turned letters, Greek, Cyrillic and
// signs as people use them for letters.
var lookalikes = pairUp("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz",
	"ɐɔǝɟɥıɯɹʇʌʍʎʞƃɾןɩ", "acefhimrtvwykgjli", "αβεικνορστυωηχγδλ", "abeikvopstuwnxydl", "абекмнорстухвиєії∂ɖłøđħŧѡшщп", "abekmhopctyxbueiiddlodhtwwwn")

func pairUp(sets ...string) map[rune]rune {
	like := map[rune]rune{}
	for ; len(sets) > 1; sets = sets[2:] {
		latin := []rune(sets[1])
		for i, r := range []rune(sets[0]) {
			like[r] = latin[i]
		}
	}
	return like
}

// boxed letters stand in their order at these places: circled, squared and the letters of flags.
var boxed = []rune{0x1f150, 0x1f170, 0x1f1e6}

// emoji that stand for words where no letter touches them.
var emoji = map[rune]string{'💀': "skullsign", '☠': "skullsign", '🔪': "knife", '🔫': "gun", '💊': "pills", '🩸': "blood"}

// tall stands for a letter that looks like both i and l.
const tall = '|'

// maxLetters of a title are read. The longest that can be kept is 320 runes, of which each can be read as 18 letters.
const maxLetters = 320 * 18

// letters of a title, small, bare of accents and of invisible marks, in Latin where they look it.
// What is no letter stays as it is.
func letters(title string) []rune {
	out, small := make([]rune, 0, len(title)), false
	for _, r := range norm.NFKD.String(unmark.Replace(apostrophes.Replace(title))) {
		if len(out) >= maxLetters {
			break
		}
		if invisible(r) {
			continue
		}
		// A capital I behind a small letter stands for an l: "kiII".
		hidden := r == 'I' && small
		small = hidden || unicode.IsLower(r)
		switch {
		case hidden:
			out = append(out, tall)
		case r < unicode.MaxASCII:
			out = append(out, unicode.ToLower(r))
		default:
			out = append(out, latin(r)...)
		}
	}
	return out
}

// invisible marks part no words.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point) || unicode.IsControl(r) && !unicode.IsSpace(r)
}

// blank letters show nothing or a space, as people like.
func blank(r rune) bool {
	return r == '\u200b' || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// spaced is a title with a space for each blank letter, where it has any.
func spaced(title string) (read string, differs bool) {
	if !strings.ContainsFunc(title, blank) {
		return title, false
	}
	return strings.Map(func(r rune) rune {
		if blank(r) {
			return ' '
		}
		return r
	}, title), true
}

// latin letters that a rune looks like, or the rune itself.
func latin(r rune) []rune {
	for _, first := range boxed {
		if r >= first && r < first+26 {
			return []rune{'a' + r - first}
		}
	}
	low := unicode.ToLower(r)
	if like, ok := lookalikes[low]; ok {
		return []rune{like}
	}
	switch like := strings.ToLower(confusable.GetReplacement(r)); {
	case like == "rn":
		return []rune{'m'}
	case like == "l" && r != 'ⅼ':
		return []rune{tall}
	case like != "" && !strings.ContainsFunc(like, func(r rune) bool { return r < 'a' || r > 'z' }):
		return []rune(like)
	}
	return []rune{low}
}

// signs stand for letters inside words; the first of several is the likeliest.
var signs = map[rune][]string{
	'0': {"o"}, '1': {"i", "l"}, tall: {"i", "l"}, '!': {"i", "l"}, '¡': {"i", "l"}, '3': {"e"}, '4': {"a"}, '5': {"s"}, '7': {"t"}, '9': {"g"},
	'@': {"a"}, '$': {"s"}, '€': {"e"}, '*': {"", "i", "a", "u", "e", "o"}, '#': {"", "i", "a", "u", "e", "o"},
}

// tokens are the runs of letters, digits and signs, with the signs read as letters.
func tokens(letters []rune) (all []string) {
	from := -1
	close := func(to int) {
		if from >= 0 {
			if word := decode(letters[from:to]); word != "" {
				all = append(all, word)
			}
		}
		from = -1
	}
	for i, r := range letters {
		_, sign := signs[r]
		if sign || unicode.In(r, unicode.L, unicode.Mc, unicode.Nd) { // the vowels of Indic scripts are marks
			if from < 0 {
				from = i
			}
			continue
		}
		close(i)
		if word, ok := emoji[r]; ok && !letterAt(letters, i-1) && !letterAt(letters, i+1) {
			all = append(all, word)
		}
	}
	close(len(letters))
	return all
}

func letterAt(letters []rune, i int) bool {
	return i >= 0 && i < len(letters) && unicode.IsLetter(letters[i])
}

// decode reads the signs in a token: as the key word that it can be, else as the likeliest letters.
func decode(token []rune) string {
	if !slices.ContainsFunc(token, isSign) {
		return string(token)
	}
	inside := bare(token)
	if !slices.ContainsFunc(inside, unicode.IsLetter) {
		return string(slices.DeleteFunc(inside, func(r rune) bool { return !unicode.IsDigit(r) }))
	}
	for _, part := range [][]rune{token, inside} {
		for _, reading := range readings(part) {
			if keys()[squeeze(reading)] {
				return reading
			}
		}
	}
	return likeliest(inside)
}

// bare is a token without signs around it.
func bare(token []rune) []rune { return []rune(strings.Trim(string(token), "!¡|@$€*#")) }

// ascii says whether a word has no other letters.
func ascii(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return r > unicode.MaxASCII })
}

func isSign(r rune) bool { _, ok := signs[r]; return ok }

// maxReadings of one token are tried.
const maxReadings = 64

// readings of a token: every letter that its signs can stand for. None where they are too many.
func readings(token []rune) []string {
	all := []string{""}
	for _, r := range token {
		options, ok := signs[r]
		if !ok {
			options = []string{string(r)}
		}
		if len(all)*len(options) > maxReadings {
			return nil
		}
		next := make([]string, 0, len(all)*len(options))
		for _, option := range options {
			for _, begun := range all {
				next = append(next, begun+option)
			}
		}
		all = next
	}
	return all
}

// likeliest reading of a token that is no key word. Digits stand for letters between letters only:
// "9am" and "5k" stay.
func likeliest(token []rune) string {
	var b strings.Builder
	for i, r := range token {
		options, sign := signs[r]
		inside := letterAt(token, i-1) && letterAt(token, i+1)
		if sign && (inside || !unicode.IsDigit(r)) {
			b.WriteString(options[0])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
