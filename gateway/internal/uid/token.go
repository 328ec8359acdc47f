package uid

import "regexp"

var shareToken = regexp.MustCompile(`^[A-Za-z0-9_-]{32}$`)

// IsShareToken says whether s may stand in the link of a meditation that its member shares: 24 bytes in Base64 as addresses have it
// (RFC 4648, section 5).
func IsShareToken(s string) bool { return shareToken.MatchString(s) }
