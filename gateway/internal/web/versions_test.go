package web

import (
	"testing"

	"github.com/stretchr/testify/require"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

func TestEachTextThatChangesIsAskedForAgain(t *testing.T) {
	t.Parallel()
	texts := func(terms, privacy string) *Screens {
		return &Screens{Config: Config{Texts: map[string]string{"terms": terms, "privacy": privacy}}}
	}
	agreed := func(version string) *identityv1.User {
		return &identityv1.User{Consents: []*identityv1.Consent{
			{Kind: identityv1.ConsentKind_CONSENT_KIND_TERMS, Given: true, Version: version},
			{Kind: identityv1.ConsentKind_CONSENT_KIND_ESSENTIALS, Given: true, Version: "2026-10-20"},
		}}
	}
	require.Equal(t, "terms 2026-10-01, privacy 2026-10-20", texts("2026-10-01", "2026-10-20").termsVersion())

	member := agreed("terms 2026-10-01, privacy 2026-10-20")
	require.True(t, texts("2026-10-01", "2026-10-20").hasConsented(member))
	for what, now := range map[string]*Screens{
		"new terms, before the privacy policy's date": texts("2026-10-15", "2026-10-20"),
		"new terms, of the privacy policy's date":     texts("2026-10-20", "2026-10-20"),
		"new terms, later":                            texts("2026-11-01", "2026-10-20"),
		"a new privacy policy":                        texts("2026-10-01", "2026-11-01"),
		"both new":                                    texts("2026-11-01", "2026-11-01"),
		"each other's date":                           texts("2026-10-20", "2026-10-01"),
	} {
		require.False(t, now.hasConsented(member), what)
		require.True(t, now.hasConsented(agreed(now.termsVersion())), what)
	}
	for _, version := range []string{"2026-10-01", "2026-10-20", "api", ""} {
		require.False(t, texts("2026-10-01", "2026-10-20").hasConsented(agreed(version)), "%q names not both texts", version)
		require.False(t, texts("2026-10-20", "2026-10-20").hasConsented(agreed(version)), "%q names not both texts", version)
	}
}
