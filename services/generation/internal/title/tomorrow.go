package title

import (
	"regexp"
	"strings"
	"unicode"

	"serein.app/services/generation/internal/safety"
)

// afterwards ends a title that Tomorrow has made. Of titles that may be spoken it leaves nearly all so; ", tomorrow" would put two in five
// in doubt.
const afterwards = ", a day later"

// thisDay finds words that name the present day.
var thisDay = regexp.MustCompile(`(?i)\b(tonight|today|this (?:morning|afternoon|evening))\b`)

// otherDay finds words for a day or a time that a title for tomorrow would contradict.
var otherDay = regexp.MustCompile(`(?i)\b(tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weeks?|months?|years?|` +
	`birthdays?|anniversar(?:y|ies)|christmas|easter|last night|day later|(?:day|night) (?:\d+|one|two|three|four|five|six|seven))\b`)

// Tomorrow is a title for another meditation on the next day, made from the title of a finished one: "Before the first train" gives
// "Before the first train, a day later", "Today's garden" gives "Tomorrow's garden". One that Tomorrow has made stays as it is, so
// that no chain grows. Empty where no kind one can be made: of a title that may not be spoken, that names another day or is a question, or
// that would be longer than MaxLength; and where the new one might not be spoken.
func Tomorrow(of string) string {
	base := strings.TrimSuffix(strings.TrimRight(strings.TrimSpace(of), ".… "), afterwards)
	next := nextDay(base)
	if next == "" || !safety.Classify(base).Quotable() || !safety.Classify(next).Quotable() {
		return ""
	}
	clean, err := Check(next)
	if err != nil {
		return ""
	}
	return clean
}

// nextDay moves the words of a title on by a day; empty where they cannot be moved.
func nextDay(of string) string {
	switch {
	case of == "", strings.ContainsFunc(of, notEnglish), otherDay.MatchString(of):
		return ""
	case thisDay.MatchString(of):
		return thisDay.ReplaceAllStringFunc(of, movedOn)
	case !endsInWord(of):
		return ""
	}
	return of + afterwards
}

// movedOn is the same time of the next day, with a capital where the words had one.
func movedOn(words string) string {
	first, rest := "tomorrow", ""
	if unicode.IsUpper(rune(words[0])) {
		first = "Tomorrow"
	}
	switch part := strings.Fields(strings.ToLower(words)); {
	case part[0] == "tonight":
		rest = " night"
	case len(part) == 2:
		rest = " " + part[1]
	}
	return first + rest
}

// notEnglish is true of letters that English words do not have: words of ours do not follow them.
func notEnglish(r rune) bool { return unicode.IsLetter(r) && r > unicode.MaxASCII }

func endsInWord(s string) bool {
	last := rune(s[len(s)-1])
	return unicode.IsLetter(last) || unicode.IsDigit(last)
}
