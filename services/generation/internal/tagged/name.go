package tagged

import (
	"net/url"
	"strings"
	"unicode"
)

// longestName in letters: file systems take 255 bytes, and a letter may be four in UTF-8.
const longestName = 60

// Disposition is a Content-Disposition that saves a recording under its title, as far as every file system takes it (RFC 6266).
func Disposition(title string) string {
	name := fileName(title)
	encoded := strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
	return `attachment; filename="` + plain(name) + `"; filename*=UTF-8''` + encoded
}

// fileName is a title without what file systems and shells read as something else.
func fileName(title string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r):
			return '-'
		case !unicode.IsPrint(r):
			return ' '
		}
		return r
	}, title)
	letters := []rune(strings.Join(strings.Fields(safe), " "))
	safe = strings.Trim(string(letters[:min(len(letters), longestName)]), " .-")
	if safe == "" {
		safe = "Meditation"
	}
	return safe + " – Serein.mp3"
}

// plain is a name in the letters that every header has, for readers of before RFC 6266.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '–' || r == '%':
			return '-'
		case r > unicode.MaxASCII:
			return '_'
		}
		return r
	}, name)
}
