// Package mail owns outgoing mail: its words, its queue and its delivery. See README.md.
package mail

import (
	"cmp"
	"context"
	"errors"
	"time"

	"serein.app/services/mail/internal/events"
	"serein.app/services/mail/internal/letters"
	"serein.app/services/mail/internal/notices"
	store "serein.app/services/mail/internal/postgres"
	"serein.app/services/mail/internal/rpc"
	"serein.app/services/mail/internal/smtp"
	"serein.app/services/platform/config"
	"serein.app/services/platform/service"
)

// Name of the service.
const Name = "mail"

// Config of the service; see README.md for the variables.
type Config struct {
	service.Config
	// SMTPURL is smtp://[user:password@]host[:port][?tls=required|opportunistic], port 587 by default, or
	// smtps://…, port 465. With required, the default for every server but one on this machine, nothing is
	// sent without STARTTLS.
	SMTPURL config.URL `env:"SMTP_URL,required"`
	// From is the sender of every mail.
	From string `env:"MAIL_FROM" envDefault:"Serein <hello@serein.example>"`
	// ContactMailbox is where people write to us by the contact form: one bare address.
	ContactMailbox string `env:"CONTACT_MAILBOX,required"`
	// CompanyMailbox gets the letters about trials and about orders to pack; empty: ContactMailbox does.
	CompanyMailbox string `env:"COMPANY_MAILBOX"`
	// PublicURL is where links lead: the gateway's address as members know it.
	PublicURL string `env:"PUBLIC_URL,required"`
	// UnsubscribeKey seals the links at the end of letters; at least 32 characters.
	UnsubscribeKey config.Secret `env:"UNSUBSCRIBE_KEY,required"`
	// UnsubscribeKeyPrevious opens the links of the key before it.
	UnsubscribeKeyPrevious config.Secret `env:"UNSUBSCRIBE_KEY_PREVIOUS"`
	// NoticeSecrets sign the sending server's notices of bounces and complaints, separated by commas, each
	// of at least 32 characters; without one every notice is refused.
	NoticeSecrets []config.Secret `env:"MAIL_NOTICE_SECRET"`
	// InvitationsADay is how many invitations a day all members together may send, so that nobody uses the
	// service to write to strangers.
	InvitationsADay int `env:"MAIL_INVITATIONS_PER_DAY" envDefault:"1000"`
	// Preview shows samples of all letters at /preview of the internal listener, for a developer's machine.
	Preview bool `env:"LETTER_PREVIEW"`

	// wait is Backoff, except in tests.
	wait func(attempt int) time.Duration
}

// Validate finds what cannot work.
func (c *Config) Validate() error {
	var faults []error
	if letters.CheckMailbox(c.ContactMailbox) != nil {
		faults = append(faults, errors.New("CONTACT_MAILBOX is not one bare address"))
	}
	if letters.CheckMailbox(c.companyMailbox()) != nil {
		faults = append(faults, errors.New("COMPANY_MAILBOX is not one bare address"))
	}
	if c.InvitationsADay < 1 {
		faults = append(faults, errors.New("MAIL_INVITATIONS_PER_DAY is not a number above 0"))
	}
	_, err := smtp.New(c.SMTPURL.Reveal(), c.From)
	return errors.Join(append(faults, err, notices.CheckSecrets(c.NoticeSecrets), c.Config.Validate())...)
}

func (c *Config) companyMailbox() string { return cmp.Or(c.CompanyMailbox, c.ContactMailbox) }

// Migrate brings the database up to date as its owner.
func Migrate(ctx context.Context, ownerURL string) error { return store.Migrate(ctx, ownerURL) }

// Program is the service as main and the one-machine stack start it.
func Program() service.Program[Config] {
	return service.Program[Config]{
		Name: Name, Run: Run, Migrate: Migrate, Retention: store.Retention(), Consumes: events.Consumes(),
	}
}

// Run serves until ctx ends.
func Run(ctx context.Context, cfg Config) error {
	return service.Run(ctx, Name, cfg.Config, rpc.Policy(), func(_ context.Context, s *service.Service) error {
		return build(s, cfg)
	})
}
