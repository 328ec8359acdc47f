// Command content runs the content service, migrates its database or publishes its events again.
package main

import (
	"os"

	"serein.app/services/content"
	"serein.app/services/platform/service"
)

func main() { os.Exit(service.Main(content.Program())) }
