// Command basket runs the basket service, migrates its database or publishes its events again.
package main

import (
	"os"

	"serein.app/services/basket"
	"serein.app/services/platform/service"
)

func main() { os.Exit(service.Main(basket.Program())) }
