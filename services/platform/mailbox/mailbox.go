// Package mailbox tells which addresses reach one mailbox, so that what is counted or done once by address is not had again under
// another spelling of it.
package mailbox

import "strings"

// Of is the mailbox that an address reaches, as far as the address tells: in small letters, with the domain as the DNS has it, without what follows a plus
// (RFC 5233's detail, which every large provider has), and at Gmail without dots, where googlemail.com is the
// same domain (support.google.com/mail/answer/7436150). Proton sees neither dots, hyphens nor underscores
// (proton.me/support/change-username), and keeps a name at all of its domains for one account
// (proton.me/support/addresses-and-aliases); so does Apple (support.apple.com/118230). Fastmail has tags before the
// domain too, tag@name.fastmail.com (fastmail.help/hc/en-us/articles/360060591053). Elsewhere dots may make another
// person's address, and so may a hyphen at Yahoo, whose disposable addresses have a base name of their own.
//
// It is for counting alone, never for who somebody is, nor for where a letter goes: see Address. Where
// a provider has no such tags, two people's addresses count together, which costs them a little room in a limit.
func Of(email string) string {
	local, domain, _ := strings.Cut(strings.ToLower(strings.TrimSpace(email)), "@")
	if name, _, _ := strings.Cut(local, "+"); name != "" {
		local = name
	}
	if known, err := domains.ToASCII(domain); err == nil {
		domain = known
	}
	for _, fastmail := range []string{"fastmail.com", "fastmail.fm"} {
		if name, found := strings.CutSuffix(domain, "."+fastmail); found && name != "" && !strings.Contains(name, ".") {
			local, domain = name, fastmail
		}
	}
	if one, found := sameDomain[domain]; found {
		domain = one
	}
	if name := strings.Trim(local, unseen[domain]); name != "" {
		local = strings.Map(func(r rune) rune {
			if strings.ContainsRune(unseen[domain], r) {
				return -1
			}
			return r
		}, local)
	}
	return local + "@" + domain
}

// sameDomain are other domains of one mailbox, unseen the characters that a provider does not look at.
var (
	sameDomain = map[string]string{
		"googlemail.com": "gmail.com",
		"protonmail.com": "proton.me", "protonmail.ch": "proton.me", "pm.me": "proton.me",
		"me.com": "icloud.com", "mac.com": "icloud.com",
	}
	unseen = map[string]string{"gmail.com": ".", "proton.me": ".-_"}
)
