package auth

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A proof that is used again costs no allocation but the key of a list of entitlements.
func TestAProofThatIsUsedAgainAllocatesNothing(t *testing.T) { //nolint:paralleltest // the whole process is counted
	signer, verifier := pair(t, "billing")
	member, subscriber := Subject{UID: "u1"}, Subject{UID: "u1", Entitlements: []string{"generator", "library"}}
	header, err := signer.Authorization("billing", member)
	require.NoError(t, err)
	for want, use := range map[float64]func(){
		0: func() {
			_, _ = signer.Authorization("billing", member)
			_, _ = verifier.Verify(t.Context(), header)
		},
		1: func() { _, _ = signer.Authorization("billing", subscriber) },
	} {
		require.LessOrEqual(t, testing.AllocsPerRun(100, use), want)
	}
}

func BenchmarkAuthorization(b *testing.B) {
	signer, err := NewSigner("gateway", key('g'))
	require.NoError(b, err)
	for name, on := range map[string]Subject{
		"member": {UID: "0192f0c1-0000-7000-8000-00000000000a"}, "subscriber": {UID: "0192f0c1-0000-7000-8000-00000000000a", Entitlements: words},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := signer.Authorization("billing", on); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
