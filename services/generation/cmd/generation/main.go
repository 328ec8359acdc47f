// Command generation runs the generation service, or migrates its database.
package main

import (
	"os"

	"serein.app/services/generation"
	"serein.app/services/platform/service"
)

func main() {
	os.Exit(service.Main(service.Program[generation.Config]{
		Name: generation.Name, Run: generation.Run, Migrate: generation.Migrate,
	}))
}
