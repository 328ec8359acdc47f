// Command generation runs the generation service, or migrates its database.
package main

import (
	"os"

	"serein.app/services/generation"
	"serein.app/services/platform/service"
)

func main() { os.Exit(service.Main(generation.Program())) }
