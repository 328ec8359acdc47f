// Command gateway runs the backend-for-frontend.
package main

import (
	"os"

	"serein.app/gateway"
	"serein.app/services/platform/service"
)

func main() { os.Exit(service.Main(gateway.Program())) }
