package secondstep

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// rfcSecret is "12345678901234567890" in base32: that of the test vectors.
const rfcSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

func TestCodesAreThoseOfTheStandard(t *testing.T) {
	t.Parallel()
	for seconds, code := range map[int64]string{ // RFC 6238, appendix B, SHA-1: the last six of eight digits
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		at, ok, err := matching(rfcSecret, code, time.Unix(seconds, 0))
		require.NoError(t, err)
		require.True(t, ok, seconds)
		require.Equal(t, seconds/30, at)
	}
}

func TestACodeCountsOneStepBeforeAndAfterItsOwnAndNoFurther(t *testing.T) {
	t.Parallel()
	const own = 1111111109 / 30
	for off, counts := range map[int64]bool{-2: false, -1: true, 0: true, 1: true, 2: false} {
		at, ok, err := matching(rfcSecret, "081804", time.Unix((own+off)*30, 0))
		require.NoError(t, err)
		require.Equal(t, counts, ok, off)
		if counts {
			require.EqualValues(t, own, at, "it is known by its own step, whenever it comes")
		}
	}
	_, _, err := matching("not base32", "081804", time.Unix(59, 0))
	require.Error(t, err)
}

func TestRecoveryCodesAreRandomReadableAndAMembersOwn(t *testing.T) {
	t.Parallel()
	amara, nils := uuid.New(), uuid.New()
	codes, hashes := newRecoveryCodes(amara)
	require.Len(t, codes, RecoveryCodes)
	seen := map[string]bool{}
	for i, code := range codes {
		require.Regexp(t, `^[a-z2-7]{4}(-[a-z2-7]{4}){5}$`, code)
		require.False(t, seen[code])
		seen[code] = true
		for _, typed := range []string{code, strings.ToUpper(code), strings.ReplaceAll(code, "-", ""), "  " + strings.ReplaceAll(code, "-", " ") + "\t", strings.ReplaceAll(code, "-", "\u00a0")} {
			require.Equal(t, hashes[i], recoveryHash(amara, plain(typed)), typed)
		}
		require.NotEqual(t, hashes[i], recoveryHash(nils, plain(code)))
	}
}
