package web

import (
	"testing"

	"github.com/stretchr/testify/require"

	identityv1 "serein.app/proto/gen/serein/identity/v1"
)

func TestEachTextThatChangesIsAskedForAgain(t *testing.T) {
	t.Parallel()
	agreed := func(version string) *identityv1.User {
		return &identityv1.User{Consents: []*identityv1.Consent{
			{Kind: identityv1.ConsentKind_CONSENT_KIND_TERMS, Given: true, Version: version},
			{Kind: identityv1.ConsentKind_CONSENT_KIND_ESSENTIALS, Given: true, Version: "2026-10-20"},
		}}
	}
	published := versions{"2026-10-01", "2026-10-20"}
	require.Equal(t, "terms 2026-10-01, privacy 2026-10-20", published.String())

	member := agreed("terms 2026-10-01, privacy 2026-10-20")
	require.True(t, hasConsented(member, published.String()))
	for what, now := range map[string]versions{
		"new terms, before the privacy policy's date": {"2026-10-15", "2026-10-20"},
		"new terms, of the privacy policy's date":     {"2026-10-20", "2026-10-20"},
		"new terms, later":                            {"2026-11-01", "2026-10-20"},
		"a new privacy policy":                        {"2026-10-01", "2026-11-01"},
		"both new":                                    {"2026-11-01", "2026-11-01"},
		"each other's date":                           {"2026-10-20", "2026-10-01"},
	} {
		require.False(t, hasConsented(member, now.String()), what)
		require.True(t, hasConsented(agreed(now.String()), now.String()), what)
	}
	for _, version := range []string{"2026-10-01", "2026-10-20", "api", ""} {
		require.False(t, hasConsented(agreed(version), published.String()), "%q names not both texts", version)
		require.False(t, hasConsented(agreed(version), versions{"2026-10-20", "2026-10-20"}.String()), "%q names not both texts", version)
	}
}
