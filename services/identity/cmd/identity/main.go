// Command identity runs the identity service, or migrates its database.
package main

import (
	"os"

	"serein.app/services/identity"
	"serein.app/services/platform/service"
)

func main() {
	os.Exit(service.Main(service.Program[identity.Config]{Name: identity.Name, Run: identity.Run, Migrate: identity.Migrate}))
}
