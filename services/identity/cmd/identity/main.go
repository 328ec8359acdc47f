// Command identity runs the identity service, or migrates its database.
package main

import (
	"os"

	"serein.app/services/identity"
	"serein.app/services/platform/service"
)

func main() { os.Exit(service.Main(identity.Program())) }
