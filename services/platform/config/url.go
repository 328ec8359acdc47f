package config

import (
	"fmt"
	"net"
	"net/url"
)

// CheckURL accepts https addresses, and http ones of this machine only: secrets go there.
func CheckURL(raw string) error {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" {
		return fmt.Errorf("%q is not an address", raw)
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !Loopback(u.Hostname())) {
		return fmt.Errorf("%q must be https", raw)
	}
	return nil
}

// Loopback says whether a host is this machine, without asking anybody.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}
