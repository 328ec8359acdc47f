package country_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/country"
)

func TestACountryHasItsEnglishNameAndAnythingElseStandsAsItIs(t *testing.T) {
	t.Parallel()
	for code, name := range map[string]string{
		"GB": "United Kingdom", "IE": "Ireland", "XK": "Kosovo", "": "", "??": "??", "001": "001", "EU": "EU",
	} {
		require.Equal(t, name, country.Name(code))
	}
}
