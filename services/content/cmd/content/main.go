// Command content runs the content service. It has no database, so there is nothing to migrate.
package main

import (
	"os"

	"serein.app/services/content"
	"serein.app/services/platform/service"
)

func main() { os.Exit(service.Main(content.Program())) }
