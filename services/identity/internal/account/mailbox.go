package account

import (
	"crypto/hmac"
	"crypto/sha256"
	"strings"
)

// Mailbox is the mailbox that an address reaches, as far as the address tells: without what follows a plus
// (RFC 5233's detail, which every large provider has), and at Gmail without dots, where googlemail.com is the
// same domain (support.google.com/mail/answer/7436150). Elsewhere dots may make another person's address.
//
// It is for counting alone, never for who somebody is: an account's address stays as it was written. Where a
// provider has no such tags, two people's addresses count together, which costs them a little room in a limit.
func Mailbox(email string) string {
	local, domain, _ := strings.Cut(EmailKey(email), "@")
	if name, _, _ := strings.Cut(local, "+"); name != "" {
		local = name
	}
	if domain == "googlemail.com" {
		domain = "gmail.com"
	}
	if domain == "gmail.com" {
		local = strings.ReplaceAll(local, ".", "")
	}
	return local + "@" + domain
}

// MailboxKey is the same 32 bytes for all addresses of a mailbox. Whoever has no secret cannot tell from it
// which mailbox it is, nor whether it is a given one. Another CODE_SECRET gives other keys, and with them every
// mailbox one more trial.
func (c *Codes) MailboxKey(email string) []byte {
	m := hmac.New(sha256.New, c.secret)
	m.Write([]byte("mailbox\x00" + Mailbox(email)))
	return m.Sum(nil)
}
