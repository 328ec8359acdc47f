package safety

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASlipOfTheFingersInAKeyWordIsPutRight(t *testing.T) {
	t.Parallel()
	for slip, word := range map[string]string{
		"wnat": "want", "watn": "want", "dei": "die", "klil": "kil", "sucicide": "suicide", "suicie": "suicide", //nolint:misspell // slips are what this is about
		"msyelf": "myself", "myslef": "myself", "hrut": "hurt",
	} {
		require.Equal(t, word, spelled(slip), slip)
	}
}

func TestNoOtherWordIsTakenForASlip(t *testing.T) {
	t.Parallel()
	for _, word := range []string{
		"went", "wan", "wants", "waning", "waned", "watt", "id", "ide", "dyeing", "kiln", "kin", "kit", "exits", "exit",
		"vile", "leaf", "life", "lives", "lining", "loving", "arm", "ham", "hut", "hunting", "heart", "pear", "reap", "parade",
		"deed", "heath", "depth", "himself", "yourself", "itself", "skilled", "tilled", "telling", "being", "wander", "dig",
	} {
		require.Equal(t, word, spelled(word), word)
	}
}
