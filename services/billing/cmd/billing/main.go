// Command billing runs the billing service, migrates its database or publishes its events again.
package main

import (
	"os"

	"serein.app/services/billing"
	"serein.app/services/platform/service"
)

func main() { os.Exit(service.Main(billing.Program())) }
