package letters

import "net/url"

// Address is a member's other address.
type Address struct {
	// New is the address that was asked for.
	New string `json:"new"`
	// Stop is the page that ends the change; empty where it is done.
	Stop string `json:"stop,omitempty"`
}

// check refuses what is no address, or leads to no page.
func (a *Address) check() error {
	if a == nil {
		return nil
	}
	if a.Stop != "" {
		u, err := url.Parse(a.Stop)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return ErrText.On("stop")
		}
	}
	return checkAddress(a.New, "new_address")
}
