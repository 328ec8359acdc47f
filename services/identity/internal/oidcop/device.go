package oidcop

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"time"

	"github.com/google/uuid"

	"serein.app/services/identity/internal/account"
)

const (
	// cookieDevice remembers that an account has signed in with this browser. It proves nothing else, and
	// stays when the session ends, so that a stranger's guesses never keep its person out.
	cookieDevice = "__Host-serein-device"
	// deviceLife is how long after its last sign-in a browser is known.
	deviceLife = 180 * 24 * time.Hour
)

// deviceRecord is what the cookie holds, sealed. BROWSER_SECRET's change makes every browser unknown.
type deviceRecord struct {
	UID uuid.UUID `json:"uid"`
	ID  string    `json:"id"`
	At  time.Time `json:"at"`
}

// device says what browser this is; the zero value for one that is not known.
func (p *Provider) device(r *http.Request) account.Device {
	c, err := r.Cookie(cookieDevice)
	if err != nil {
		return account.Device{}
	}
	raw, err := base64.RawURLEncoding.DecodeString(c.Value)
	if err != nil {
		return account.Device{}
	}
	var record deviceRecord
	if err := p.devices.Open(cookieDevice, raw, &record); err != nil || p.storage.at().Sub(record.At) >= deviceLife {
		return account.Device{}
	}
	return account.Device{UID: record.UID, ID: record.ID}
}

// rememberDevice makes the browser a known device of the member who has just signed in. A known browser keeps its id, so that its count
// of tries continues.
func (p *Provider) rememberDevice(w http.ResponseWriter, r *http.Request, uid uuid.UUID) error {
	known := p.device(r)
	if known.UID != uid {
		known = account.Device{UID: uid, ID: rand.Text()}
	}
	sealed, err := p.devices.Seal(cookieDevice, deviceRecord{UID: uid, ID: known.ID, At: p.storage.at()})
	if err != nil {
		return err
	}
	setCookie(w, cookieDevice, base64.RawURLEncoding.EncodeToString(sealed), deviceLife)
	return nil
}
