package account

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/google/uuid"
)

// ConsentKind is what a person agrees to. The words are stored and stand in events.
type ConsentKind string

// The kinds. ConsentTerms covers the terms and the privacy text. ConsentEssentials is asked by the
// dialog on the site; signing up gives ConsentAge16 and ConsentTerms alone.
const (
	ConsentAge16      ConsentKind = "age_16"
	ConsentTerms      ConsentKind = "terms"
	ConsentEssentials ConsentKind = "essentials"
	ConsentAnalytics  ConsentKind = "analytics"
	ConsentMarketing  ConsentKind = "marketing"
)

// ConsentKinds lists all kinds in the order in which they are shown.
var ConsentKinds = []ConsentKind{ConsentAge16, ConsentTerms, ConsentEssentials, ConsentAnalytics, ConsentMarketing}

// ConsentAnswer is what a person says about one kind.
type ConsentAnswer struct {
	Kind  ConsentKind
	Given bool
	// Version of the text that was shown: for ConsentAge16 and ConsentTerms, which are given under two
	// texts, "terms YYYY-MM-DD, privacy YYYY-MM-DD"; for the others a date "YYYY-MM-DD".
	Version string
}

// Consent is an answer as it was recorded.
type Consent struct {
	ConsentAnswer
	At time.Time
}

// ConsentsPerDay bounds the answers kept of one person in 24 hours, far above what a person changes.
// Withdrawing is never refused: at the bound nothing can be given, so little can be withdrawn.
const ConsentsPerDay = 30

const consentDay = 24 * time.Hour

// Consents are a person's kinds as they stand, one for each that was ever answered.
func (s *Service) Consents(ctx context.Context, uid string) ([]Consent, error) {
	id, err := uuid.Parse(uid)
	if err != nil {
		return nil, ErrUserNotFound.Because(err)
	}
	return s.store.Consents(ctx, id)
}

// RecordConsents adds a row for each kind whose answer differs from what stands, and gives all kinds
// as they stand then. Errors: ErrUserNotFound, ErrConsents (a kind unknown or twice, a version
// that is not of its kind's form), ErrConsentRequired, ErrConsentsTooMany; nothing is recorded then.
func (s *Service) RecordConsents(ctx context.Context, uid string, answers []ConsentAnswer) ([]Consent, error) {
	id, err := uuid.Parse(uid)
	if err != nil {
		return nil, ErrUserNotFound.Because(err)
	}
	if err := checkAnswers(answers); err != nil {
		return nil, err
	}
	now := s.now().UTC().Truncate(time.Microsecond)
	return s.store.RecordConsents(ctx, id, now.Add(-consentDay), func(current []Consent, recent int) ([]Consent, error) {
		return changedConsents(current, recent, answers, now)
	})
}

func checkAnswers(answers []ConsentAnswer) error {
	for i, a := range answers {
		twice := slices.ContainsFunc(answers[:i], func(b ConsentAnswer) bool { return b.Kind == a.Kind })
		switch {
		case !slices.Contains(ConsentKinds, a.Kind):
			return ErrConsents.Because(fmt.Errorf("there is no kind %q", a.Kind))
		case twice:
			return ErrConsents.Because(fmt.Errorf("%s is answered twice", a.Kind))
		case a.Kind == ConsentAge16 && !a.Given:
			return ErrConsentRequired
		}
		if err := checkVersion(a.Kind, a.Version); err != nil {
			return ErrConsents.Because(err)
		}
	}
	return nil
}

// VersionUnknown is recorded where a program signed somebody up and did not say which text it showed.
// No text has it, so the site asks such a member again.
const VersionUnknown = "api"

var (
	dayForm   = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})$`)
	textsForm = regexp.MustCompile(`^terms (\d{4}-\d{2}-\d{2}), privacy (\d{4}-\d{2}-\d{2})$`)
)

// checkVersion accepts the kind's form with days of the calendar. Which texts there are is the
// gateway's to know.
func checkVersion(kind ConsentKind, version string) error {
	form := dayForm
	if kind == ConsentAge16 || kind == ConsentTerms {
		form = textsForm
	}
	days := form.FindStringSubmatch(version)
	if days == nil {
		return fmt.Errorf("version %q of %s is not of the form %s", version, kind, form)
	}
	for _, day := range days[1:] {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			return fmt.Errorf("version %q of %s: %w", version, kind, err)
		}
	}
	return nil
}

// changedConsents are the rows that the answers add to what stands. recent is how many rows were
// added in the last 24 hours. A row is always later than the one it follows, also where this
// machine's clock is behind the one that wrote it.
func changedConsents(current []Consent, recent int, answers []ConsentAnswer, now time.Time) ([]Consent, error) {
	var rows []Consent
	for _, a := range answers {
		at, withdraws := now, false
		if i := slices.IndexFunc(current, func(c Consent) bool { return c.Kind == a.Kind }); i >= 0 {
			if current[i].ConsentAnswer == a {
				continue
			}
			withdraws = current[i].Given && !a.Given
			if !at.After(current[i].At) {
				at = current[i].At.Add(time.Microsecond)
			}
		}
		if !withdraws && recent+len(rows) >= ConsentsPerDay {
			return nil, ErrConsentsTooMany.Because(errors.New("too many answers in a day"))
		}
		rows = append(rows, Consent{ConsentAnswer: a, At: at})
	}
	return rows, nil
}
