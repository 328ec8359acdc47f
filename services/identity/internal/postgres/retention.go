package postgres

import "serein.app/services/platform/retention"

// Retention is what identity removes. Accounts, consents and role changes stay: the first while the
// member does, the others as the record of who agreed to what and who could do what.
func Retention() []retention.Policy {
	return []retention.Policy{
		{
			Name: "accounts lapsed", Table: "accounts", Column: "lapses_at",
			Reason: "A sign-up that nobody confirmed within a day: the name is free again, and the address is nobody's business.",
		},
		{
			Name: "codes", Table: "codes", Column: "expires_at", Keep: retention.Day,
			Reason: "For a day the answer to a late code says that it is old, and not that it is wrong.",
		},
		{
			Name: "address changes", Table: "address_changes", Column: "expires_at", Keep: retention.Day,
			Reason: "For a day the answer to a late code says that it is old; a finished change keeps the former address while its last letter is on its way.",
		},
		{
			Name: "sign-ins", Table: "auth_requests", Column: "expires_at", Keep: retention.Day,
			Reason: "A code that is presented again is known to be stolen for a day (RFC 6749, 4.1.2).",
		},
		{
			Name: "sessions", Table: "sessions", Column: "ends_at",
			Reason: "Of no use after their 12 hours, or when nothing that came of them can be used: 30 days after the last use.",
		},
		{
			Name: "refresh tokens", Table: "refresh_tokens", Column: "expires_at",
			Reason: "Of no use after their 30 days; a used one is known to be reused until then.",
		},
		{
			Name: "grants", Table: "grants", Column: "expires_at",
			Reason: "Of no use after their 90 days, revoked or not; tokens of theirs go with them.",
		},
		{
			Name: "used challenges", Table: "used_challenges", Column: "expires_at",
			Reason: "A challenge that is older is refused for its age.",
		},
		{
			Name: "signing keys", Table: "signing_keys", Column: "retires_at",
			Reason: "No token that one has signed is good any more when it retires.",
		},
		{
			Name: "signing keys of ES256", Table: "es256_keys", Column: "retires_at",
			Reason: "As for those of RS256: no token that one has signed is good any more when it retires.",
		},
		{
			Name: "throttles", Table: "throttles", Column: "window_ends", Where: "blocked_until <= $1",
			Reason: "Attempts count within their window; afterwards the row says nothing.",
		},
	}
}
