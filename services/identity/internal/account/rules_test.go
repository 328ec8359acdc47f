package account

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"serein.app/services/platform/crowd"
	"serein.app/services/platform/errs"
)

func fault(t *testing.T, err error, reason *errs.Error, field string) {
	t.Helper()
	require.ErrorIs(t, err, reason)
	e := errs.From(err)
	require.Equal(t, field, e.Field)
	require.Equal(t, errs.Invalid, e.Kind)
	require.NotEmpty(t, e.Public)
}

const (
	emoji = "🧘‍♀️🌧️"
	rtl   = "نسيم שקט"
	html  = `<script>alert("x")</script>`
)

// The fields of sign-up against what people and programs put into them. An empty reason means
// that it is accepted.
func TestEveryFieldSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	good := SignUp{
		Username: "amara.l", Email: "amara@example.org", GivenName: "Amara", FamilyName: "Lindqvist",
		Password: "three unrelated pebbles", AgeConfirmed: true, TermsVersion: "terms 2026-10-01, privacy 2026-11-01",
	}
	set := map[string]func(*SignUp, string){
		"username":      func(s *SignUp, v string) { s.Username = v },
		"email":         func(s *SignUp, v string) { s.Email = v },
		"given_name":    func(s *SignUp, v string) { s.GivenName = v },
		"family_name":   func(s *SignUp, v string) { s.FamilyName = v },
		"password":      func(s *SignUp, v string) { s.Password = v },
		"terms_version": func(s *SignUp, v string) { s.TermsVersion = v },
	}
	refused := map[string][]string{
		"username": {
			"", "ab", strings.Repeat("a", 33), "a b c", "amara\x00", "amara\n", emoji, rtl, html, "../../etc", "a@b.c", ".amara", "-rf",
			"аmara", "amara\u202e", "amara\u200b", "ﷺ", "a\xffbc",
			"\u3164\u3164\u3164", "a\u3164bc", "a" + strings.Repeat("\u0301\u0327", 3) + "bc", "www.amara", "evil.com", "visit.evil.co.uk", "EVIL.example.org",
			"admin", "Admin1", "support", "SEREIN", "serein-support", "serein.team", "no-reply", "post.master", "ｓｕｐｐｏｒｔ", "ADMİN", "ſerein",
		},
		"email": {
			"", "amara", "amara@", "@example.org", "amara@lakehouse", "amara@example..org", "amara@.org", "amara@-x.org", "amara@example.org\r\nBcc: x@y.org",
			"amara@example.org,x@y.org", "Amara <amara@example.org>", "a b@example.org", `"a b"@example.org`, "amara@exa mple.org", emoji + "@example.org", "amara@مثال.org", "amara@xn--a.org",
			html, strings.Repeat("a", 65) + "@example.org", "a@" + strings.Repeat("b.", 130) + "org", "amara@example.org\x00", "amara@[127.0.0.1]", "a@b@example.org",
		},
		"given_name": {
			"", "   ", strings.Repeat("a", 101), "A\x00", "A\nB", "A\r\nX: y", "A\u202eB", "A\u2028B", "A\u0085B", "\xff",
			"\u200b", "\ufeff", "\u3164", "A\u3164", "A\u200bB", "A\u00adB", "A\ufffeB", "A\U0001fffeB", "A\ufdd0", "\u200e", "A\u202bB", "A\u2067B", "A\U000e0041B",
			"A" + strings.Repeat("\u0301\u0323", 30), "a\u200d", "\u200cA", "A \u200d B", "🌧️", "123", "...", "\ufe0fA",
		},
		"family_name": {"", strings.Repeat("é", 101), "A\tB"},
		"password": {
			"", "short", strings.Repeat("a", 9), strings.Repeat("ab cd", 26), "password123", "PassWord123", "1234567890", "aaaaaaaaaaaa", "abababababab", "abcdefghijkl", "my amara.l word", "my amara@example.org", "Amara rain falls", "the lindqvist pond", "l1ndqv1st pond ", "my example.org pond",
			"Welcome2026!", "Summer2026!", "serein2026!", "S3rein and pebbles", "monkey123456", "P4$$w0rd2026", "passwordpassword", "2026!!November", "$ummer2026!!", "1l0vey0u!!!!", "qwertyuiop", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		},
		"terms_version": {
			"", "1", "é", "2026-11-01", "terms 2026-11-01", "terms 2026-11, privacy 2026-11", "terms 2026-11-31, privacy 2026-11-01",
			"terms 2026-11-01, privacy 2026-11-31", "terms 2026-11-01, privacy 2026-11-01 ",
		},
	}
	accepted := map[string][]string{
		"username":      {"sereina", "support-act", "teamwork", "123", "abc", strings.Repeat("a", 32), "a.b_c-d", "Åsa", "李小龍さん", "amara２", "9lives", "нина"},
		"email":         {"a@b.co", "A.B+tag@Example.ORG", "o'hara@example.org", "x_y-z@sub.example.co.uk", "amara@xn--exmple-cua.org"},
		"given_name":    {"A", "\u200fנסיים\u200f", "A\u200eB", "A\u061cB", strings.Repeat("é", 100), "Amara " + emoji, "می\u200cخواهم", "Nguyễn", "न\u094d\u200dया", rtl, html, "O'Hara-Ñandú", "Robert'); DROP TABLE accounts;--"},
		"family_name":   {emoji + "x", rtl, html},
		"password":      {"river stone", strings.Repeat("abc12", 25) + "xyz", emoji + " quiet pond", rtl + " شاطئ", html, "correct horse"},
		"terms_version": {VersionUnknown, "terms 2026-10-01, privacy 2026-11-01", "terms 2026-11-01, privacy 2026-11-01"},
	}
	s := New(Config{Codes: NewCodes("test", ""), Now: time.Now, NewID: uuid.New})
	for field, values := range refused {
		for _, v := range values {
			in := good
			set[field](&in, v)
			_, _, err := s.registration(in)
			reason := ErrInvalidParameter
			if field == "password" {
				reason = ErrInvalidPassword
			}
			fault(t, err, reason, field)
		}
	}
	for field, values := range accepted {
		for _, v := range values {
			in := good
			set[field](&in, v)
			_, _, err := s.registration(in)
			require.NoError(t, err, "%s %q", field, v)
		}
	}
	in := good
	in.AgeConfirmed = false
	_, _, err := s.registration(in)
	fault(t, err, ErrInvalidParameter, "age_confirmed")
}

func TestNoLimitByAddressRefusesAClass(t *testing.T) {
	t.Parallel()
	for _, l := range []Limit{limitConfirmAddress, limitAPIAddress, limitSignInAddress, limitCodeAddress} {
		require.GreaterOrEqual(t, l.Free, crowd.Size, l.Name)
	}
}

func TestUsernameProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "any text")
		username, key, err := ParseUsername(s)
		if err != nil {
			return
		}
		n := utf8.RuneCountInString(username)
		if n < usernameMin || n > usernameMax {
			t.Fatalf("%q has %d characters", username, n)
		}
		again, sameKey, err := ParseUsername(username)
		if err != nil || again != username || sameKey != key {
			t.Fatalf("%q is not stable: %q %q %v", username, again, sameKey, err)
		}
		for _, other := range otherCases(username) {
			if UsernameKey(other) != key {
				t.Fatalf("%q and %q have different keys", username, other)
			}
		}
	})
}

func otherCases(s string) []string {
	upper, lower := strings.ToUpper(s), strings.ToLower(s)
	return []string{upper, lower, strings.ToTitle(s), strings.ToLower(upper), strings.ToUpper(lower)}
}

func TestNoLetterOfAUsernameDependsOnItsCase(t *testing.T) {
	t.Parallel()
	const dotAbove = "\u0307" // makes the capital I of Turkish when it follows an I
	for r := range unicode.MaxRune {
		if !usernameRune(r, false) {
			continue
		}
		for _, name := range []string{norm.NFKC.String(string(r)), norm.NFKC.String(string(r) + dotAbove)} { // as usernames are kept
			for _, other := range otherCases(name) {
				if other != name && UsernameKey(other) != UsernameKey(name) {
					t.Fatalf("%U: %q and %q have different keys", r, name, other)
				}
			}
		}
	}
}

func TestNothingThatSteersAMailIsAccepted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "any text")
		if email, _, err := ParseEmail(s); err == nil && strings.ContainsAny(email, "\r\n\x00 <>,;") {
			t.Fatalf("address %q", email)
		}
		if name, err := parseName("given_name", s); err == nil && strings.ContainsAny(name, "\r\n\x00\u2028\u202e") {
			t.Fatalf("name %q", name)
		}
	})
}

func TestKeysCanBeStored(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "any bytes"))
		for _, key := range []string{UsernameKey(s), EmailKey(s)} {
			if !utf8.ValidString(key) || strings.ContainsRune(key, 0) {
				t.Fatalf("%q", key)
			}
		}
	})
}

func TestAllAddressesOfAMailboxHaveOneKeyAndNoOthers(t *testing.T) {
	t.Parallel()
	boxes := NewMailboxes("one secret")
	for _, address := range []string{"alice@gmail.com", "a.l.i.c.e@gmail.com", " Al.ice+3.4@GoogleMail.com"} {
		require.Equal(t, boxes.Key("alice@gmail.com"), boxes.Key(address))
		require.NotEqual(t, boxes.Key("alice@gmail.com"), NewMailboxes("another secret").Key(address), "it is keyed")
	}
	require.NotEqual(t, boxes.Key("alice@example.org"), boxes.Key("a.lice@example.org"))
	require.Len(t, boxes.Key("alice@example.org"), 32)
}

func TestCodeProperties(t *testing.T) {
	t.Parallel()
	codes, others := NewCodes("one secret", ""), NewCodes("another secret", "")
	six := regexp.MustCompile(`^[0-9]{6}$`)
	now := time.Now()
	rapid.Check(t, func(t *rapid.T) {
		id := uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
		c := codes.New(id, CodeConfirmation, now)
		digits := codes.Digits(c)
		if !six.MatchString(digits) {
			t.Fatalf("%q", digits)
		}
		guess := rapid.StringMatching(`[0-9]{6}`).Draw(t, "guess")
		if err := codes.Check(c, guess, now); (err == nil) != (guess == digits) {
			t.Fatalf("guess %q of %q: %v", guess, digits, err)
		}
		if others.Check(c, digits, now) == nil {
			t.Fatal("another secret's code")
		}
		if codes.Check(c, digits, now.Add(CodeLife-1)) != nil || codes.Check(c, digits, now.Add(CodeLife)) == nil {
			t.Fatal("a code is good for CodeLife, not longer")
		}
		if strings.Contains(string(c.Hash), digits) {
			t.Fatal("the hash shows the code")
		}
	})
}

func TestCodesOutliveTheirSecretWhileItIsThePreviousOne(t *testing.T) {
	t.Parallel()
	first, both, second := NewCodes("first secret", ""), NewCodes("second secret", "first secret"), NewCodes("second secret", "")
	now := time.Now()
	rapid.Check(t, func(t *rapid.T) {
		id := uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
		old, fresh := first.New(id, CodeConfirmation, now), both.New(id, CodeConfirmation, now)
		if both.Digits(old) != first.Digits(old) || both.Check(old, first.Digits(old), now) != nil {
			t.Fatal("a code on its way is another, or refused")
		}
		if second.Check(old, first.Digits(old), now) == nil {
			t.Fatal("the previous secret is forgotten")
		}
		if both.Digits(fresh) != second.Digits(fresh) || second.Check(fresh, both.Digits(fresh), now) != nil {
			t.Fatal("a fresh code is the current secret's")
		}
		guess := rapid.StringMatching(`[0-9]{6}`).Draw(t, "guess")
		if guess != both.Digits(old) && both.Check(old, guess, now) == nil {
			t.Fatalf("two secrets, and %q beside the code", guess)
		}
	})
}

func TestTheTenThousandMostCommonPasswordsAreRefusedAsTheyAreAndDressedUp(t *testing.T) {
	t.Parallel()
	n := 0
	for line := range strings.Lines(commonText) {
		p := strings.TrimSpace(line)
		require.Equal(t, strings.ToLower(p), p)
		n++
		for _, dressed := range []string{p, strings.ToUpper(p), p + "2026!?#"} {
			if _, err := ParsePassword(dressed, "someone", "someone@example.org"); !errors.Is(err, ErrInvalidPassword) {
				// Where the year ends what was a word of letters and digits, another one has come of it.
				require.NotEqual(t, p, dressed)
				require.True(t, strings.ContainsAny(p, "0123456789"), "%q", dressed)
			}
		}
	}
	require.GreaterOrEqual(t, n, 10_000)
}

func TestPasswordsSayInWordsWhatIsWrongWithThem(t *testing.T) {
	t.Parallel()
	for password, words := range map[string]string{
		"Welcome2026!": "too easy to guess", "serein 2026!": "Serein's name", "amara and pebbles": "your name, username and email",
	} {
		_, err := ParsePassword(password, "amara.l", "Amara", "Lindqvist", "amara@example.org")
		require.Contains(t, errs.From(err).Public, words)
		require.Equal(t, "INVALID_PASSWORD", errs.From(err).Word())
	}
}

func TestNamesThatPassAreSeen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name, err := parseName("given_name", rapid.String().Draw(t, "any text"))
		if err != nil {
			return
		}
		shown := strings.Map(func(r rune) rune {
			if invisible(r) {
				return -1
			}
			return r
		}, name)
		if !strings.ContainsFunc(shown, unicode.IsLetter) || marksInARow(name) > marksMax {
			t.Fatalf("%q", name)
		}
	})
}
