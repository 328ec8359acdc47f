package stack

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Do runs a service's own command in this process, with the environment that the service has on
// this machine: the address of its database's owner beside it, for migrate.
func (s *Stack) Do(ctx context.Context, name string, args ...string) error {
	if s.settings.Ports[internal(name)] == 0 {
		return fmt.Errorf("there is no %s in %s; the product has %s, once it was started", name, s.options.DataDir, strings.Join(Programs(), ", "))
	}
	if len(args) == 0 {
		return errors.New("which command?")
	}
	for _, p := range programs {
		if p.name != name {
			continue
		}
		environ, err := s.commandEnviron(p)
		if err != nil {
			return err
		}
		return p.do(ctx, environ, args)
	}
	return fmt.Errorf("%s is not a service", name)
}

func (s *Stack) commandEnviron(p program) (map[string]string, error) {
	environ, err := s.environ(p.name)
	if err != nil || p.migrate == nil {
		return environ, err
	}
	environ["MIGRATE_DATABASE_URL"], err = s.ownerURL(p.name)
	return environ, err
}
