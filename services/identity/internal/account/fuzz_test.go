package account

import (
	"net/mail"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
)

// hostile is what people and programs have put into fields before.
var hostile = []string{
	"", " ", "Amara", "  Amara  ", "amara.l", "AMARA@Example.ORG", emoji, rtl, html, "\x00", "\xff\xfe", "a\u202eb", "ﬁﬂⅨ①", "ß", "ſ", "İ", "ı", "ΰ", "\u0345",
	"а\u0430mara", "e\u0301\u0301\u0301\u0301\u0301\u0301", "\u200d\u200d", "\ufeff", "\U000e0041", "www.evil.example", "evil.com", "a@b@c.example", `"a b"@c.example`,
	"a@[127.0.0.1]", "a@xn--a.example", "Eve <eve@evil.example>", "a@b.c\r\nBcc: x@y.z", "p4$$w0rd99", "sereinserein", "three unrelated pebbles", "\u1100\u1161\u11a8",
	strings.Repeat("a", 300), strings.Repeat("\u0301", 300), strings.Repeat("ﷺ", 20),
}

// FuzzAUsernameHasOneFormAndOneKey: a username that was accepted is accepted again in its stored form, under the same key, and a member
// who types it as at the sign-up is found.
func FuzzAUsernameHasOneFormAndOneKey(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		kept := UsernameKey(s)
		require.True(t, utf8.ValidString(kept) && !strings.ContainsRune(kept, 0), "PostgreSQL cannot keep %q", kept)
		username, key, err := ParseUsername(s)
		if err != nil {
			require.ErrorIs(t, err, ErrInvalidParameter)
			return
		}
		again, sameKey, err := ParseUsername(username)
		require.NoError(t, err)
		require.Equal(t, []string{username, key}, []string{again, sameKey})
		require.Equal(t, key, UsernameKey(s))
		require.Equal(t, key, UsernameKey(key), "typing the key finds the same account")
		require.NotContains(t, username, "@", "it cannot be another's address")
		require.False(t, strings.ContainsFunc(username, steersText))
	})
}

// FuzzANameIsTextThatIsSeen: what is accepted stays as it is, and cannot break the line that it stands in.
func FuzzANameIsTextThatIsSeen(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, s string, given bool) {
		field := map[bool]string{true: "given_name", false: "family_name"}[given]
		name, err := parseName(field, s)
		if err != nil {
			require.ErrorIs(t, err, ErrInvalidParameter)
			return
		}
		again, err := parseName(field, name)
		require.NoError(t, err)
		require.Equal(t, name, again)
		require.True(t, utf8.ValidString(name) && utf8.RuneCountInString(name) <= nameMax)
		require.NotEmpty(t, strings.Trim(name, " \u200c\u200d"))
		require.False(t, strings.ContainsAny(name, "\r\n\x00\u2028\u202e"))
	})
}

// FuzzAnAddressIsOneMailboxAndNothingElse: what is accepted is a bare address by RFC 5322 too, and its
// key is another spelling of it.
func FuzzAnAddressIsOneMailboxAndNothingElse(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		kept := EmailKey(s)
		require.True(t, utf8.ValidString(kept) && !strings.ContainsRune(kept, 0), "PostgreSQL cannot keep %q", kept)
		email, key, err := ParseEmail(s)
		if err != nil {
			require.ErrorIs(t, err, ErrInvalidParameter)
			return
		}
		list, err := mail.ParseAddressList(email)
		require.NoError(t, err)
		require.Equal(t, []*mail.Address{{Address: email}}, list)
		require.False(t, strings.ContainsAny(email, "\r\n \t<>,;\""), email)
		again, sameKey, err := ParseEmail(email)
		require.NoError(t, err)
		require.Equal(t, []string{email, key}, []string{again, sameKey})
		spelled, sameKey, err := ParseEmail(key)
		require.NoError(t, err)
		require.Equal(t, []string{key, key}, []string{spelled, sameKey})
		require.Equal(t, key, EmailKey(s))
	})
}

// FuzzAPasswordHasOneFormAndHoldsNoName: what is accepted is in the form that sign-in compares, and
// holds neither its member's names nor the product's.
func FuzzAPasswordHasOneFormAndHoldsNoName(f *testing.F) {
	for i, s := range hostile {
		f.Add(s, hostile[(i+1)%len(hostile)], "amara.l", "amara@example.org")
		f.Add(s+s+"three pebbles", s, s, s)
	}
	f.Fuzz(func(t *testing.T, s, name, username, email string) {
		password, err := ParsePassword(s, name, username, email)
		if err != nil {
			require.ErrorIs(t, err, ErrInvalidPassword)
			return
		}
		require.True(t, norm.NFKC.IsNormalString(password))
		require.Equal(t, password, NormalPassword(s))
		length := utf8.RuneCountInString(password)
		require.True(t, length >= passwordMin && length <= passwordMax)
		again, err := ParsePassword(password, name, username, email)
		require.NoError(t, err)
		require.Equal(t, password, again)
		lower := strings.ToLower(password)
		for _, own := range slices.Concat(ownParts([]string{name, username, email}), []string{product}) {
			require.NotContains(t, lower, own)
		}
	})
}
