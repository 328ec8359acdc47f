// Package etag says whether a client has an answer already.
package etag

import "strings"

// Named says whether the header If-None-Match names the tag. Tags are compared weakly, as RFC 9110 section 13.1.2 asks.
func Named(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
