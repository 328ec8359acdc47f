package docker_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"serein.app/deploy/docker"
	"serein.app/services/testkit"
)

const user = "65532:65532"

func images(t *testing.T) map[string]docker.Image {
	t.Helper()
	found, err := docker.Images("Dockerfile")
	require.NoError(t, err)
	byName := map[string]docker.Image{}
	for _, image := range found {
		byName[image.Name] = image
	}
	return byName
}

func TestEveryProgramHasAnImageThatStartsItAsAnOrdinaryUser(t *testing.T) {
	t.Parallel()
	found := images(t)
	programs := append(testkit.Services(), "dev-parts")
	require.Len(t, found, len(programs))
	for _, program := range programs {
		image := found[program]
		require.Equal(t, []string{"/" + program}, image.Entrypoint, program)
		require.Equal(t, user, image.User, program)
		require.Contains(t, image.Copies, docker.Copy{From: "build", Source: "/out/" + program, To: "/" + program}, program)
		require.Contains(t, image.Copies, docker.Copy{From: "build", Source: "/etc/ssl/certs/ca-certificates.crt", To: "/etc/ssl/certs/ca-certificates.crt"}, program)
		require.Equal(t, "/zoneinfo.zip", image.Environ["ZONEINFO"], program)
	}
}

// What an image sets leads to something that it has.
func TestEveryPathThatAnImageNamesIsInIt(t *testing.T) {
	t.Parallel()
	for name, image := range images(t) {
		has := map[string]bool{}
		for _, c := range image.Copies {
			has[c.To] = true
		}
		for variable, value := range image.Environ {
			if strings.HasPrefix(value, "/") {
				require.True(t, has[value], "%s: %s=%s", name, variable, value)
			}
		}
	}
}

func TestARootFileSystemHasWhatTheLinesCopyAndNothingElse(t *testing.T) {
	t.Parallel()
	repository, out := t.TempDir(), t.TempDir()
	certificates := filepath.Join(out, "authorities.pem")
	for path, text := range map[string]string{
		filepath.Join(out, "gateway"):                                "the program",
		filepath.Join(out, "zoneinfo.zip"):                           "time zones",
		certificates:                                                 "authorities",
		filepath.Join(repository, "frontend/dist/index.html"):        "the app",
		filepath.Join(repository, "frontend/dist/assets/app-1.js"):   "its code",
		filepath.Join(repository, "frontend/node_modules/x/left.js"): "no part of it",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o700))
	}
	into := t.TempDir()
	require.NoError(t, images(t)["gateway"].Build(into, docker.Stages{Repository: repository, Out: out, Certificates: certificates}))
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(into, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		found[strings.TrimPrefix(path, into)] = string(text)
		return err
	}))
	require.Equal(t, map[string]string{
		"/gateway": "the program", "/zoneinfo.zip": "time zones", "/etc/ssl/certs/ca-certificates.crt": "authorities",
		"/app/index.html": "the app", "/app/assets/app-1.js": "its code",
	}, found)
	require.DirExists(t, filepath.Join(into, "tmp"))
}

func TestAPartThatWasNotBuiltIsAnError(t *testing.T) {
	t.Parallel()
	err := images(t)["generation"].Build(t.TempDir(), docker.Stages{Repository: t.TempDir(), Out: t.TempDir(), Certificates: "none"})
	require.ErrorIs(t, err, os.ErrNotExist)
}

// The binaries of an image are built by the release of Go that the tests run with, and the app by their Node. Only the patch may be another:
// a machine with a newer one is no fault of the product.
func TestImagesAreBuiltWithTheVersionsOfTheTests(t *testing.T) {
	t.Parallel()
	dockerfile, err := os.ReadFile("Dockerfile")
	require.NoError(t, err)
	node, err := exec.CommandContext(t.Context(), "node", "--version").Output()
	require.NoError(t, err)
	for argument, version := range map[string]string{"GO_VERSION": docker.Version(), "NODE_VERSION": strings.TrimPrefix(strings.TrimSpace(string(node)), "v")} {
		pinned := regexp.MustCompile(`(?m)^ARG ` + argument + `=(\d+\.\d+\.\d+)$`).FindStringSubmatch(string(dockerfile))
		require.Len(t, pinned, 2, argument)
		require.Equal(t, release(version), release(pinned[1]), argument)
	}
}

// release is a version without its patch.
func release(version string) string { return strings.Join(strings.Split(version, ".")[:2], ".") }
