package mailbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/services/platform/mailbox"
)

func TestAllAddressesOfAMailboxAreOneAndNoOthers(t *testing.T) {
	t.Parallel()
	for one, addresses := range map[string][]string{
		"alice@example.org":   {"alice@example.org", "ALICE@Example.ORG", " alice+2@example.org", "Alice+a+b@example.org"},
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
		"+2@example.org":            {"+2@example.org"},
		"+3@example.org":            {"+3@example.org"},
	} {
		for _, address := range addresses {
			require.Equal(t, one, mailbox.Of(address))
		}
	}
}
