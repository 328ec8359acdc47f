package main

import (
	"fmt"
	"strings"
	"time"

	"serein.app/deploy/local/readme"
	"serein.app/deploy/local/stack"
	"serein.app/services/platform/retention"
	"serein.app/services/platform/service"
)

// retentionTable lists the policies of all databases, then those of each.
func retentionTable() string {
	var table strings.Builder
	table.WriteString(readme.Head("database", "what", "where", "kept", "why"))
	write := func(database string, policies []retention.Policy) {
		for _, p := range policies {
			where := "–"
			if p.Table != "" {
				where = fmt.Sprintf("`%s.%s`", p.Table, p.Column)
			}
			table.WriteString(readme.Row(database, p.Name, where, inWords(p.Keep), p.Reason))
		}
	}
	write("all", service.Retention())
	for _, schema := range stack.Schemas() {
		write(schema.Service, schema.Retention)
	}
	return table.String()
}

// inWords is how long a row is kept.
func inWords(d time.Duration) string {
	switch {
	case d == 0:
		return "not at all"
	case d == retention.Day:
		return "a day"
	case d%retention.Day == 0:
		return fmt.Sprintf("%d days", d/retention.Day)
	case d == time.Hour:
		return "an hour"
	default:
		return d.String()
	}
}
