package catalogue

import (
	"errors"
	"fmt"
	"regexp"
)

var slug = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// check finds what would show a member an empty line or break a script.
func (c Catalogue) check() error {
	ids := seen{}
	for _, t := range c.Types {
		ids.add("type", t.ID, t.Name, t.Description, t.Narrator.ID, t.Narrator.Name)
		ids.want(len(t.Affirmations) == Affirmations, "type %s has %d affirmations", t.ID, len(t.Affirmations))
		for _, line := range t.Affirmations {
			ids.want(line != "", "type %s has an empty affirmation", t.ID)
		}
	}
	for _, p := range c.Practices {
		ids.add("practice", p.ID, p.Name, p.Description)
	}
	for _, s := range c.Sizes {
		ids.add("size", s.ID, s.Name, s.Description)
		ids.want(s.MinWords > 0 && s.MinWords <= s.MaxWords, "size %s has words %d to %d", s.ID, s.MinWords, s.MaxWords)
		ids.want(s.Breaks > 0 && s.PauseSeconds >= s.Breaks, "size %s has %d s for %d silences", s.ID, s.PauseSeconds, s.Breaks)
	}
	for _, t := range c.Tracks {
		ids.add("track", t.ID, t.Name)
	}
	ids.add("narrator", c.Narrators.Immersive.ID, c.Narrators.Immersive.Name)
	return errors.Join(ids.faults...)
}

// seen collects ids and faults.
type seen struct {
	ids    map[string]bool
	faults []error
}

func (s *seen) add(kind, id string, texts ...string) {
	if s.ids == nil {
		s.ids = map[string]bool{}
	}
	key := kind + "/" + id
	s.want(slug.MatchString(id), "%s: not a slug", key)
	s.want(!s.ids[key], "%s: twice", key)
	s.ids[key] = true
	for _, text := range texts {
		s.want(text != "", "%s: a text is missing", key)
	}
}

func (s *seen) want(holds bool, format string, args ...any) {
	if !holds {
		s.faults = append(s.faults, fmt.Errorf(format, args...))
	}
}
