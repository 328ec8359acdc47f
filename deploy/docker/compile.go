package docker

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Compile builds a program as the Dockerfile does, into the folder out.
func Compile(root, program, out string) error {
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(out, program), folder(program)) //nolint:noctx // ends with its caller
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false")
	if printed, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", program, err, printed)
	}
	return nil
}

// folder is where the repository has a program's main package.
func folder(program string) string {
	switch program {
	case "gateway":
		return "./gateway/cmd/gateway"
	case devParts:
		return "./deploy/local/cmd/dev-parts"
	}
	return "./services/" + program + "/cmd/" + program
}

// devParts is the one image that is no service's: overlay dev of deploy/k8s runs it.
const devParts = "dev-parts"

// TimeZones copies those of Go's own distribution into the folder out.
func TimeZones(out string) error {
	root, err := exec.Command("go", "env", "GOROOT").Output() //nolint:noctx // answers at once
	if err != nil {
		return err
	}
	return copyFile(filepath.Join(strings.TrimSpace(string(root)), "lib/time/zoneinfo.zip"), filepath.Join(out, "zoneinfo.zip"))
}

// SystemCertificates is the file of certificate authorities of this machine: where Debian, Fedora and macOS have it.
func SystemCertificates() string {
	for _, file := range []string{certificates, "/etc/pki/tls/certs/ca-bundle.crt"} {
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return "/etc/ssl/cert.pem"
}

// Version is that of the Go that runs, as images of golang are named by it: "1.26.8".
func Version() string { return strings.TrimPrefix(runtime.Version(), "go") }
