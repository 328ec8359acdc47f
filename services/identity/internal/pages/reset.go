package pages

import "net/http"

// Forgot is what the page shows that asks whose password is forgotten.
type Forgot struct {
	// Request is the authorization request that waits, Token the form's proof of origin.
	Request, Token string
	// Login is what stands in the field.
	Login string
	// Error is a fault of the field; Notice is anything else that keeps the person out.
	Error, Notice string
}

// Reset is what the page shows that takes the mailed code and the new password.
type Reset struct {
	// Request is the authorization request that waits, Token the form's proof of origin.
	Request, Token string
	// Login is what was said to be forgotten, Code what stands in the field.
	Login, Code string
	// Sent: another code has just gone out.
	Sent bool
	// Error is a fault of the code, PasswordError of the password; Notice is anything else that keeps the person out.
	Error, PasswordError, Notice string
	// RedirectURI is where the browser goes after success; the policy must allow the form to.
	RedirectURI string
}

// Forgot asks whose password is forgotten.
func (p *Pages) Forgot(w http.ResponseWriter, status int, data Forgot) {
	p.render(w, status, p.forgot, data, "")
}

// Reset asks for the code and the new password.
func (p *Pages) Reset(w http.ResponseWriter, status int, data Reset) {
	p.render(w, status, p.reset, data, data.RedirectURI)
}

// Stop asks whether to stop a change of address.
type Stop struct {
	// Change is the token of the letter's link, Email the address that was asked for.
	Change, Email string
}

// Stop asks before stopping.
func (p *Pages) Stop(w http.ResponseWriter, data Stop) { p.render(w, http.StatusOK, p.stop, data, "") }
