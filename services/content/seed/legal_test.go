package seed_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/content/internal/seeding"
	"serein.app/services/content/seed"
)

// shown has every version of a legal text that was ever shown, and that text's fingerprint. Versions are added here, never
// changed: what a member agreed to is kept by them.
var shown = map[string]map[string]string{
	"termsAndConditions": {"2026-11-21": "14347994e7127837"},
	"privacyPolicy":      {"2026-11-21": "cb2beeb43cda676c", "2026-11-22": "4efc55eff3cabcd9", "2026-11-28": "25d502d930375410", "2026-11-30": "7e0b30baa13c74cf", "2026-12-01": "00a05b3ddb6d2dd6"},
}

// fingerprint is that of what readers see, 16 hexadecimal digits.
func fingerprint(description, body string) string {
	sum := sha256.Sum256([]byte(description + "\n\n" + body))
	return hex.EncodeToString(sum[:8])
}

func TestALegalTextThatHasChangedHasANewVersion(t *testing.T) {
	t.Parallel()
	contents, faults := seeding.Read(seed.FS)
	require.NoError(t, errors.Join(faults...))
	found := 0
	for _, item := range contents.Items {
		versions, ok := shown[item.ContentType]
		if !ok {
			continue
		}
		found++
		field := func(name string) string { text, _ := item.Draft.Fields[name]["en-GB"].(string); return text }
		require.Regexp(t, `^\d{4}-\d\d-\d\d$`, field("version"), item.File)
		require.Equal(t, versions[field("version")], fingerprint(field("description"), field("body")), "%s of %s", item.File, field("version"))
	}
	require.Equal(t, len(shown), found)
}
