package stack

import (
	"context"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"

	"serein.app/services/platform/postgres"
)

func (s *Stack) adminURL() string {
	if s.options.DatabaseURL != "" {
		return s.options.DatabaseURL
	}
	return fmt.Sprintf("postgres://postgres:%s@%s/postgres?sslmode=disable",
		s.settings.password("postgres"), s.loopback("postgres"))
}

func (s *Stack) databaseURL(service string) (string, error) {
	return postgres.WithLogin(s.adminURL(), "serein_"+service, service, s.settings.password("postgres."+service))
}

func (s *Stack) ownerURL(service string) (string, error) {
	return postgres.WithLogin(s.adminURL(), "serein_"+service, service+"_owner", s.settings.password("postgres."+service+"_owner"))
}

// migrate makes each service's database and roles, then brings all of them up to date side by
// side.
func (s *Stack) migrate(ctx context.Context) error {
	admin, err := pgx.Connect(ctx, s.adminURL())
	if err != nil {
		return fmt.Errorf("PostgreSQL: %w", err)
	}
	defer func() { _ = admin.Close(ctx) }()
	var all sync.WaitGroup
	faults := make(chan error, len(programs))
	for _, p := range programs {
		if p.migrate == nil {
			continue
		}
		err := postgres.Provision(ctx, admin, postgres.Database{
			Name: "serein_" + p.name, Service: p.name,
			OwnerPassword: s.settings.password("postgres." + p.name + "_owner"),
			Password:      s.settings.password("postgres." + p.name),
		})
		if err != nil {
			return fmt.Errorf("database of %s: %w", p.name, err)
		}
		url, err := s.ownerURL(p.name)
		if err != nil {
			return err
		}
		all.Go(func() {
			if err := p.migrate(ctx, url); err != nil {
				faults <- fmt.Errorf("database of %s: %w", p.name, err)
			}
		})
	}
	all.Wait()
	close(faults)
	return <-faults
}
