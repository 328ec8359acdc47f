// Package access is the one table of who may call what: every RPC of every contract against
// everybody who could try. It owns the table (matrix.tsv) and its words; package e2e walks every
// cell of it on the running product.
//
// Persons call the gateway's contracts with their own browser, and a service's contract as the
// gateway does for them: with its proof that names them and what they may do.
package access

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"

	"serein.app/deploy/local/stack"
)

// Outcome is what becomes of a call.
type Outcome string

// The outcomes.
const (
	// Allowed calls get past every rule, whatever becomes of them then.
	Allowed Outcome = "allowed"
	// Unauthenticated callers have not said who they are.
	Unauthenticated Outcome = "unauthenticated"
	// Forbidden calls are not that caller's to make.
	Forbidden Outcome = "forbidden"
	// NotFound: what the call is about is somebody else's, and looks as if it were not there.
	NotFound Outcome = "not-found"
)

// Role is somebody who could try: a column of the table.
type Role string

// The persons. Each asks for what is their own, but for AnotherMember.
const (
	// Nobody proves nothing: no cookie, no proof of a service.
	Nobody Role = "nobody"
	// Visitor has not signed in.
	Visitor Role = "visitor"
	// Member has an account and the trial that comes with it.
	Member Role = "member"
	// AnotherMember is one too, and asks for what is Member's.
	AnotherMember Role = "another_member"
	// Ended has a plan that ran out.
	Ended Role = "ended"
	// Admin is a member whom identity calls an admin.
	Admin Role = "admin"
)

// The members with a running plan, by its kind.
const (
	OnTrial    Role = "plan_trial"
	OnMember   Role = "plan_member"
	OnGenerate Role = "plan_generate"
	OnEnquiry  Role = "plan_enquiry"
)

const (
	accountPrefix = "account:"
	servicePrefix = "service:"
)

// Account is the client id of a service account; false for other roles.
func (r Role) Account() (string, bool) { return strings.CutPrefix(string(r), accountPrefix) }

// Service is the name of a calling service; false for other roles. It names a member who may
// everything, so that only who calls decides.
func (r Role) Service() (string, bool) { return strings.CutPrefix(string(r), servicePrefix) }

// Persons are the roles of people.
func Persons() []Role {
	return []Role{Nobody, Visitor, Member, AnotherMember, OnTrial, OnMember, OnGenerate, OnEnquiry, Ended, Admin}
}

// Roles are the columns of the table: people, service accounts, services.
func Roles() []Role {
	roles := Persons()
	for _, client := range []string{stack.ReportsClient, stack.OtherClient, stack.ProgramClient} {
		roles = append(roles, Role(accountPrefix+client))
	}
	for _, service := range stack.Programs() {
		roles = append(roles, Role(servicePrefix+service))
	}
	return roles
}

//go:embed matrix.tsv
var table string

// Matrix is the outcome of each procedure for each role.
type Matrix map[string]map[Role]Outcome

// Load reads the table. It refuses columns other than Roles, rows that stand twice and words
// that are no outcomes.
func Load() (Matrix, error) { return parse(table) }

func parse(table string) (Matrix, error) {
	lines := csv.NewReader(strings.NewReader(table))
	lines.Comma, lines.Comment = '\t', '#'
	rows, err := lines.ReadAll()
	if err != nil {
		return nil, err
	}
	head := []string{"method"}
	for _, role := range Roles() {
		head = append(head, string(role))
	}
	if strings.Join(rows[0], "\t") != strings.Join(head, "\t") {
		return nil, fmt.Errorf("the columns are not %s", strings.Join(head, " "))
	}
	matrix := Matrix{}
	for _, row := range rows[1:] {
		if matrix[row[0]] != nil {
			return nil, fmt.Errorf("%s stands twice", row[0])
		}
		matrix[row[0]] = map[Role]Outcome{}
		for i, role := range Roles() {
			outcome := Outcome(row[i+1])
			switch outcome {
			case Allowed, Unauthenticated, Forbidden, NotFound:
				matrix[row[0]][role] = outcome
			default:
				return nil, fmt.Errorf("%s for %s: %q is no outcome", row[0], role, outcome)
			}
		}
	}
	return matrix, nil
}
