// Package mail owns outgoing mail: its words, its queue and its delivery. See README.md.
package mail

import (
	"cmp"
	"context"
	"errors"
	"net/url"
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
	// SMTPURL is smtp://[user:password@]host:port, or smtps://; see package smtp.
	SMTPURL config.URL `env:"SMTP_URL,required"`
	// From is the sender of every mail.
	From string `env:"MAIL_FROM" envDefault:"Serein <hello@serein.example>"`
	// ContactMailbox is where people write to us by the contact form.
	ContactMailbox string `env:"CONTACT_MAILBOX,required"`
	// CompanyMailbox is where we are told what happens in the shop; CONTACT_MAILBOX where it is not set.
	CompanyMailbox string `env:"COMPANY_MAILBOX"`
	// PublicURL is where links lead: the gateway's address as members know it.
	PublicURL string `env:"PUBLIC_URL,required"`
	// UnsubscribeKey seals the links at the end of letters.
	UnsubscribeKey config.Secret `env:"UNSUBSCRIBE_KEY,required"`
	// UnsubscribeKeyPrevious still opens those of before the key was replaced; empty for none.
	UnsubscribeKeyPrevious config.Secret `env:"UNSUBSCRIBE_KEY_PREVIOUS"`
	// NoticeSecrets sign what the sending server tells of bounces and complaints; with none nothing is believed.
	NoticeSecrets []config.Secret `env:"MAIL_NOTICE_SECRET"`
	// InvitationsADay are sent of all members together, so that nobody uses us to write to strangers.
	InvitationsADay int `env:"MAIL_INVITATIONS_PER_DAY" envDefault:"1000"`
	// Preview shows samples of all letters on the internal listener: for a developer's machine.
	Preview bool `env:"LETTER_PREVIEW"`

	// wait is Backoff, except in tests.
	wait func(attempt int) time.Duration
}

// Validate finds what cannot work.
func (c *Config) Validate() error {
	var faults []error
	if u, err := url.Parse(c.PublicURL); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		faults = append(faults, errors.New("PUBLIC_URL is not the address of a website"))
	}
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
