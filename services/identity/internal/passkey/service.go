package passkey

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"

	"serein.app/services/identity/internal/account"
	"serein.app/services/platform/config"
	"serein.app/services/platform/guard"
	"serein.app/services/platform/seal"
	"serein.app/services/platform/seclog"
)

// Accounts prove members and find them.
type Accounts interface {
	// Reauthenticate proves the present password of a member who is signed in, and their second step where they have one. Errors:
	// account.ErrWrongPassword, account.ErrSecondStepMissing, account.ErrTooManyRequests.
	Reauthenticate(ctx context.Context, m account.Signed, password string) (account.Account, error)
	// ByUID finds a confirmed account. Errors: account.ErrUserNotFound.
	ByUID(ctx context.Context, uid string) (account.Account, error)
	// Admitted says whether an account may be signed in to by who has proved to be its member. Errors: account.ErrPasswordReset,
	// account.ErrLeaving, account.ErrUserNotFound.
	Admitted(a account.Account) error
}

// Config is what a Service needs.
type Config struct {
	Store    Store
	Accounts Accounts
	// Issuer is the address of the hosted pages, where passkeys sign in; Site the product's own, where they are made.
	Issuer, Site string
	// Secret seals what browsers carry between the two steps of a ceremony.
	Secret, SecretPrevious config.Secret
	Now                    func() time.Time
	NewID                  func() uuid.UUID
	// Security may be nil.
	Security *seclog.Log
}

// Service is ready for concurrent use.
type Service struct {
	cfg    Config
	sealer *seal.Sealer
	// making is for the product's pages, entering for the hosted ones; nil: passkeys are off.
	making, entering *webauthn.WebAuthn
}

// New is a Service. Where issuer and site have no domain in common it is off.
func New(cfg Config) (*Service, error) {
	issuer, err := url.Parse(cfg.Issuer)
	if err != nil {
		return nil, err
	}
	site, err := url.Parse(cfg.Site)
	if err != nil {
		return nil, err
	}
	s := &Service{cfg: cfg}
	if s.sealer, err = seal.New(cfg.Secret, cfg.SecretPrevious, "identity passkey"); err != nil {
		return nil, err
	}
	domain := common(issuer.Hostname(), site.Hostname())
	if domain == "" {
		return s, nil
	}
	if s.making, err = party(domain, site); err != nil {
		return nil, err
	}
	s.entering, err = party(domain, issuer)
	return s, err
}

// common is the domain of both hosts, which passkeys are bound to (WebAuthn, "RP ID"): one of the two that is the other, or its parent.
// An address of numbers is none.
func common(a, b string) string {
	switch {
	case net.ParseIP(a) != nil || net.ParseIP(b) != nil || a == "" || b == "":
		return ""
	case a == b || strings.HasSuffix(a, "."+b):
		return b
	case strings.HasSuffix(b, "."+a):
		return a
	}
	return ""
}

func party(domain string, page *url.URL) (*webauthn.WebAuthn, error) {
	w, err := webauthn.New(&webauthn.Config{
		RPID: domain, RPDisplayName: "Serein", RPOrigins: []string{guard.Origin(page)}, AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(), UserVerification: protocol.VerificationRequired,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("passkeys of %s: %w", domain, err)
	}
	return w, nil
}

// On says whether passkeys are offered.
func (s *Service) On() bool { return s.making != nil }

// List is a member's passkeys, the newest first. Errors: account.ErrUserNotFound.
func (s *Service) List(ctx context.Context, uid string) ([]Passkey, error) {
	id, err := uuid.Parse(uid)
	if err != nil {
		return nil, account.ErrUserNotFound.Because(err)
	}
	return s.cfg.Store.Passkeys(ctx, id)
}

// Remove deletes a passkey for a member who gives the present password; removing one that does not exist is no error. Errors:
// account.ErrWrongPassword, account.ErrTooManyRequests.
func (s *Service) Remove(ctx context.Context, m account.Signed, id uuid.UUID, password string) error {
	a, err := s.cfg.Accounts.Reauthenticate(ctx, m, password)
	if err != nil {
		return err
	}
	removed, err := s.cfg.Store.RemovePasskey(ctx, a.UID, id, s.cfg.NewID())
	if removed {
		s.record(ctx, a.UID, seclog.Removed, "")
	}
	return err
}

func (s *Service) record(ctx context.Context, uid uuid.UUID, outcome seclog.Outcome, address string) {
	e := seclog.Event{Kind: seclog.Passkey, Outcome: outcome, Address: address}
	if uid != uuid.Nil {
		e.UID = uid.String()
	}
	s.cfg.Security.Record(ctx, e)
}

// at is now, as the database keeps it.
func (s *Service) at() time.Time { return s.cfg.Now().UTC().Truncate(time.Microsecond) }
