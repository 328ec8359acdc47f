// Command identity runs the identity service, migrates its database, or gives and takes the admin role.
package main

import (
	"os"

	"serein.app/services/identity"
	"serein.app/services/platform/service"
)

func main() {
	identity.Collect()
	os.Exit(service.Main(identity.Program()))
}
