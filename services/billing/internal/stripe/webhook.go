package stripe

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"
	"github.com/stripe/stripe-go/v85/webhook"

	"serein.app/services/billing/internal/sales"
)

// ReadEvent takes a webhook that is signed with one of the secrets, and not older (or newer) than the provider's tolerance of five
// minutes. All else is ErrRefused, and ErrOtherVersion where it is signed and of another release of the API than the library's.
// Whether it is of our own account and kind of money is the caller's to judge.
func (p *Provider) ReadEvent(payload []byte, signature string, now time.Time) (sales.Event, error) {
	refused := func(why string) (sales.Event, error) {
		return sales.Event{}, fmt.Errorf("webhook: %w: %s", sales.ErrRefused, why)
	}
	signed, ok := signedAt(signature)
	if !ok {
		return refused("no signature")
	}
	// The library looks at the machine's clock alone: the age is checked here, of a header with one time in it.
	// So is the version, which says nothing about who signed.
	options := webhook.ConstructEventOptions{IgnoreTolerance: true, IgnoreAPIVersionMismatch: true}
	for _, secret := range p.secrets {
		event, err := webhook.ConstructEventWithOptions(payload, signature, secret.Reveal(), options)
		if err != nil {
			continue
		}
		if now.Sub(signed).Abs() > webhook.DefaultTolerance {
			return refused("too old or too new")
		}
		if release(event.APIVersion) != release(stripe.APIVersion) {
			return sales.Event{}, fmt.Errorf("webhook: %w: %q", sales.ErrOtherVersion, event.APIVersion)
		}
		return readEvent(&event), nil
	}
	return refused("not signed by the provider")
}

// release is the name of a version's release, which follows its date: events of one release have one form. Versions of before there were
// releases have none, and are their own.
func release(version string) string {
	if _, name, named := strings.Cut(version, "."); named {
		return name
	}
	return version
}

// signedAt is the one time in a signature's header.
func signedAt(signature string) (signed time.Time, ok bool) {
	for part := range strings.SplitSeq(signature, ",") {
		value, isTime := strings.CutPrefix(part, "t=")
		if !isTime {
			continue
		}
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil || ok {
			return time.Time{}, false
		}
		signed, ok = time.Unix(seconds, 0), true
	}
	return signed, ok
}
