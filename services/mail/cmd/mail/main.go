// Command mail runs the mail service, migrates its database or publishes its events again.
package main

import (
	"os"

	"serein.app/services/mail"
	"serein.app/services/platform/service"
)

func main() { os.Exit(service.Main(mail.Program())) }
