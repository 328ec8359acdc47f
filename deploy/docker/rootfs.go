package docker

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Stages are where the files of the Dockerfile's building stages lie on this machine, without Docker.
type Stages struct {
	// Repository is /src of all stages, with the app and the parts built in it.
	Repository string
	// Out is /out of the stage build: the binaries and the time zones.
	Out string
	// Certificates is the file of certificate authorities.
	Certificates string
}

// certificates is where every image has the authorities' certificates, and the building stage too.
const certificates = "/etc/ssl/certs/ca-certificates.crt"

// folderMode lets the image's user read folders that are another's.
const folderMode = 0o755

// path is where a file of a stage lies; empty for a folder without files.
func (s Stages) path(source string) (string, error) {
	switch {
	case source == certificates:
		return s.Certificates, nil
	case source == "/empty":
		return "", nil
	case strings.HasPrefix(source, "/out/"):
		return filepath.Join(s.Out, strings.TrimPrefix(source, "/out")), nil
	case strings.HasPrefix(source, "/src/"):
		return filepath.Join(s.Repository, strings.TrimPrefix(source, "/src")), nil
	}
	return "", fmt.Errorf("%s is made by Docker alone", source)
}

// Build makes the root file system of the image in a folder that is empty or not there. Only root can give files to
// another user, as Docker does; others keep them.
func (i Image) Build(into string, stages Stages) error {
	for _, c := range i.Copies {
		from, err := stages.path(c.Source)
		if err != nil {
			return fmt.Errorf("%s: %w", i.Name, err)
		}
		if err := c.copy(from, filepath.Join(into, c.To)); err != nil {
			return fmt.Errorf("%s: %w", i.Name, err)
		}
	}
	return nil
}

func (c Copy) copy(from, to string) error {
	if from == "" {
		if err := os.MkdirAll(to, folderMode); err != nil {
			return err
		}
		return c.own(to)
	}
	return filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, below)
		if entry.IsDir() {
			return os.MkdirAll(target, folderMode)
		}
		if err := copyFile(name, target); err != nil {
			return err
		}
		return c.own(target)
	})
}

// copyFile copies a file with the right to execute it. What is a link is copied as what it leads to.
func copyFile(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), folderMode); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o444|info.Mode().Perm()&0o111) //nolint:gosec // the paths are the Dockerfile's
}

// own gives a path to the owner that the line names.
func (c Copy) own(path string) error {
	if c.Owner == "" || os.Getuid() != 0 {
		return nil
	}
	user, group, err := ids(c.Owner)
	if err != nil {
		return err
	}
	return os.Chown(path, user, group)
}

// ids are a user and a group as an image names them.
func ids(owner string) (user, group int, err error) {
	first, second, _ := strings.Cut(owner, ":")
	if user, err = strconv.Atoi(first); err != nil {
		return 0, 0, fmt.Errorf("%q names no user by number", owner)
	}
	if group, err = strconv.Atoi(second); err != nil {
		return 0, 0, fmt.Errorf("%q names no group by number", owner)
	}
	return user, group, nil
}
