// Package uid knows the ids of members and meditations as they stand in addresses and arguments. It
// owns their one form, and refuses every other that a UUID can be written in.
package uid

import "regexp"

var canonical = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// IsCanonical says whether s is a UUID as the services write it: lower case, with hyphens (RFC 9562,
// section 4).
func IsCanonical(s string) bool { return canonical.MatchString(s) }
