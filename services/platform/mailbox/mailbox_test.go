package mailbox_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/mailbox"
)

func TestAllAddressesOfAMailboxAreOneAndNoOthers(t *testing.T) {
	t.Parallel()
	for one, addresses := range map[string][]string{
		"alice@example.org": {
			"alice@example.org", "ALICE@Example.ORG", " alice+2@example.org", "Alice+a+b@example.org", "alice@exam\u00adple.org", "alice@example.org\u200b",
			"alice@\uff45xample.org", "alice@example\u3002org",
		},
		"a.lice@example.org":  {"a.lice@example.org", "a.lice+x.y@example.org"},
		"alice@gmail.com":     {"alice@gmail.com", "a.l.i.c.e@gmail.com", "Al.ice+3.4@GoogleMail.com"},
		"alice@mail.gmail.co": {"alice@mail.gmail.co"},
		"alicejones@proton.me": {
			"alicejones@proton.me", "alice.jones@proton.me", "alice-jones@protonmail.com", "Alice_Jones@pm.me", "a.l-i_cejones+shop@ProtonMail.ch",
		},
		"alice@icloud.com":          {"alice@icloud.com", "alice@me.com", "Alice@mac.com", "alice+shop@me.com"},
		"a.lice@icloud.com":         {"a.lice@me.com"},
		"alice@outlook.com":         {"alice@outlook.com", "alice+shop@outlook.com"},
		"alice@hotmail.com":         {"alice+shop@Hotmail.com"},
		"alice@live.com":            {"alice+a@live.com"},
		"a.lice@outlook.com":        {"a.lice@outlook.com"},
		"alice@fastmail.com":        {"alice+shop@fastmail.com", "shop@alice.fastmail.com", "shop+more@Alice.Fastmail.com"},
		"alice@fastmail.fm":         {"shop@alice.fastmail.fm"},
		"shop@a.alice.fastmail.com": {"shop@a.alice.fastmail.com"},
		"alice-shop@yahoo.com":      {"alice-shop@yahoo.com"},
		"alice-shop@icloud.com":     {"alice-shop@icloud.com"},
		"a.li-c_e@example.org":      {"a.li-c_e@example.org"},
		"alice@proton.me.example":   {"alice@proton.me.example"},
		"alice@xn--exmple-cua.org": {
			"alice@exämple.org", "alice@ex\u0061\u0308mple.org", "Alice+1@EXÄMPLE.ORG", "alice@xn--exmple-cua.org", "alice@XN--EXMPLE-CUA.org", "alice@exämple。org",
		},
		"+2@example.org": {"+2@example.org"},
		"+3@example.org": {"+3@example.org"},
	} {
		for _, address := range addresses {
			require.Equal(t, one, mailbox.Of(address))
		}
	}
}

func TestALetterGoesToTheDomainAsTheDNSHasIt(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"Alice@Example.ORG":        "Alice@Example.ORG",
		"alice+a@example.org":      "alice+a@example.org",
		"alice@localhost":          "alice@localhost",
		"alice@r3---sn.example":    "alice@r3---sn.example",
		"alice@xn--exmple-cua.org": "alice@xn--exmple-cua.org",
		"alice@exämple.org":        "alice@xn--exmple-cua.org",
		"alice@\uff45xample.org":   "alice@example.org",
		"alice@example\u3002org":   "alice@example.org",
	} {
		got, err := mailbox.Address(written)
		require.NoError(t, err, written)
		require.Equal(t, want, got)
	}
	for _, written := range []string{
		"", "alice", "@example.org", "alice@", "zoë@example.org", "\uff41lice@example.org", "alice@example.org\u200b", "\u200balice@example.org",
		"alice@exam\u00adple.org", "alice@example.org\u2060", "alice@example\u200d.org", "alice@example.org\ufe0f", "alice@example.org\u3164",
		"alice@example.org\u00a0", "alice@exam ple.org", "alice@xn--a.org", "alice@exam_ple.org", "alice@a..org", "alice\u202e@example.org",
		"alice@" + strings.Repeat("a", 64) + ".org", "alice@example.org\xff",
	} {
		_, err := mailbox.Address(written)
		require.ErrorIs(t, err, mailbox.ErrAddress, "%q", written)
	}
}
