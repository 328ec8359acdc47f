package entry

// Locale of an environment.
type Locale struct {
	Code, Name string
	// Fallback is the locale whose values stand in for what this one does not have; empty for none.
	Fallback string
	Default  bool
	Version  int
}

// Locales of an environment; one of them is the default.
type Locales []Locale

// Default locale's code.
func (l Locales) Default() string {
	for _, locale := range l {
		if locale.Default {
			return locale.Code
		}
	}
	return ""
}

// Has says whether there is a locale of that code.
func (l Locales) Has(code string) bool {
	_, ok := l.Find(code)
	return ok
}

// Find the locale of that code.
func (l Locales) Find(code string) (Locale, bool) {
	for _, locale := range l {
		if locale.Code == code {
			return locale, true
		}
	}
	return Locale{}, false
}

// Chain is where values are looked for, in this order: the locale itself, its fallback, that one's
// fallback. A circle ends where it would begin again.
func (l Locales) Chain(code string) []string {
	var chain []string
	seen := map[string]bool{}
	for code != "" && !seen[code] {
		locale, ok := l.Find(code)
		if !ok {
			break
		}
		seen[code] = true
		chain = append(chain, code)
		code = locale.Fallback
	}
	return chain
}
