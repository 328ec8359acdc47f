package year

import (
	"crypto/md5" //nolint:gosec // what PostgreSQL has; nothing is secret here

	"github.com/google/uuid"
)

// ID is what md5('name')::uuid is in PostgreSQL: rows that fill makes are found by their names.
func ID(name string) uuid.UUID { return md5.Sum([]byte(name)) } //nolint:gosec // see above

// platform fills the tables that every database has: a year of events and of jobs that nobody removed,
// evenly spread, the oldest first as they were written, with ids in the order of time as the product's are.
var platform = []string{
	`INSERT INTO outbox (id, subject, payload, created_at, published_at)
		SELECT uuidv7(at - now()), 'serein.a.b.c.v1', convert_to(repeat('x', 200), 'UTF8'), at, at
		FROM (SELECT now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO outbox (id, subject, payload) SELECT uuidv7(), 'serein.a.b.c.v1', '' FROM generate_series(1, 20)`,
	`INSERT INTO inbox (consumer, event_id, handled_at)
		SELECT 'a-b-c', uuidv7(at - now()), at
		FROM (SELECT now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int) n) AS year`,
	`INSERT INTO river_job (state, kind, args, max_attempts, created_at, scheduled_at, finalized_at)
		SELECT CASE n / 5 % 3 WHEN 0 THEN 'discarded' WHEN 1 THEN 'cancelled' ELSE 'completed' END::river_job_state, 'a.b', '{}', 1, at, at, at
		FROM (SELECT n, now() - interval '365 days' * (1 - n / $1::float8) AS at FROM generate_series(1, $1::int, 5) n) AS year`,
	`INSERT INTO river_job (state, kind, args, max_attempts, scheduled_at)
		SELECT 'available', 'a.b', '{}', 1, now() - interval '40 days' FROM generate_series(1, 20)`,
}
