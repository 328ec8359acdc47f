package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"serein.app/services/testkit/repository"
)

// Images are the root file systems of all programs' images, built on this machine (deploy/docker).
type Images struct {
	// Dir has a folder for each program.
	Dir string

	enter, cache string
	images       map[string]image
}

// image is how a program is started in its root file system, as deploy/docker/cmd/rootfs writes it.
type image struct {
	Environ    map[string]string `json:"environ"`
	User       string            `json:"user"`
	Entrypoint []string          `json:"entrypoint"`
}

// CanEnter says what is missing on this machine to start a program in a root file system; nil: nothing.
func CanEnter(ctx context.Context) error {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		return errors.New("a program is started in a root file system on Linux and by root alone")
	}
	out, err := exec.CommandContext(ctx, "unshare", "--mount", "--propagation", "private", "mount", "-t", "tmpfs", "tmpfs", "/mnt").CombinedOutput()
	if err != nil {
		return fmt.Errorf("this machine gives no mount namespace (unshare --mount): %w: %s", err, out)
	}
	return nil
}

// BuildImages builds the root file systems of all images in an empty folder. The working folder lies in the repository.
func BuildImages(ctx context.Context, into string) (*Images, error) {
	root, err := repository.Root()
	if err != nil {
		return nil, err
	}
	build := exec.CommandContext(ctx, "go", "run", "./deploy/docker/cmd/rootfs", into)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the root file systems: %w\n%s", err, out)
	}
	b := &Images{
		Dir: into, enter: filepath.Join(root, "deploy", "docker", "enter.sh"), cache: filepath.Join(root, ".cache", "wasm-images"), images: map[string]image{},
	}
	files, err := filepath.Glob(filepath.Join(into, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var read image
		if err := json.Unmarshal(content, &read); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		b.images[strings.TrimSuffix(filepath.Base(file), ".json")] = read
	}
	return b, nil
}

// User is the user and the group of a program's image, as numbers.
func (b *Images) User(program string) (user, group int, err error) {
	_, err = fmt.Sscanf(b.images[program].User, "%d:%d", &user, &group)
	return user, group, err
}

// Launch makes the command that starts a program in its root file system (stack.Options.Launch). The folders that the environment names
// become volumes, and a file of clients becomes what it holds, as a secret has it. What the image sets stays.
func (b *Images) Launch(ctx context.Context, program string, environ map[string]string, args ...string) (*exec.Cmd, error) {
	found, ok := b.images[program]
	if !ok {
		return nil, fmt.Errorf("there is no image of %s", program)
	}
	environ = maps.Clone(environ)
	maps.Copy(environ, found.Environ)
	volumes, err := b.volumes(program, environ)
	if err != nil {
		return nil, err
	}
	if clients, err := os.ReadFile(environ["CLIENTS"]); err == nil {
		environ["CLIENTS"] = string(clients)
	}
	enter := append([]string{filepath.Join(b.Dir, program), found.User, volumes}, append(found.Entrypoint, args...)...)
	cmd := exec.CommandContext(ctx, b.enter, enter...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	for name, value := range environ {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd, nil
}

// volumes are the folders that the program writes to, as enter.sh takes them. They belong to the image's user.
func (b *Images) volumes(program string, environ map[string]string) (string, error) {
	folders := map[string]string{} // by where the program finds them
	if b.Compiles(program) {
		folders[environ["WASM_CACHE_DIR"]] = b.cache
	}
	if blobs, ok := strings.CutPrefix(environ["BLOB_URL"], "file://"); ok {
		folders["/blobs"], environ["BLOB_URL"] = blobs, "file:///blobs"
	}
	user, group, err := b.User(program)
	if err != nil {
		return "", err
	}
	var volumes []string
	for inside, folder := range folders {
		if err := errors.Join(os.MkdirAll(folder, 0o700), os.Chown(folder, user, group)); err != nil {
			return "", err
		}
		volumes = append(volumes, folder+"="+inside)
	}
	return strings.Join(volumes, ","), nil
}

// Size is how many bytes the files of a program's root file system have.
func (b *Images) Size(program string) (bytes int64, err error) {
	err = filepath.WalkDir(filepath.Join(b.Dir, program), func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	return bytes, err
}

// Compiles says whether a program compiles WebAssembly at its first start.
func (b *Images) Compiles(program string) bool {
	return b.images[program].Environ["WASM_CACHE_DIR"] != ""
}

// Forget deletes what has been compiled, which all programs share here. On a cluster each pod has its own.
func (b *Images) Forget() error { return os.RemoveAll(b.cache) }
