// Command rootfs builds the root file systems of all images below a folder, without Docker, out of this repository as it
// is: `rootfs FOLDER`. Beside each it writes what the image says of its start, `gateway.json`, and what it is made of,
// `sbom/gateway.cdx.json`. The app and the parts are built before (make). enter.sh starts a program in one of them. See
// deploy/docker/README.md.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	cdx "github.com/CycloneDX/cyclonedx-go"

	"serein.app/deploy/docker"
	"serein.app/services/testkit/repository"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: rootfs FOLDER")
		os.Exit(2)
	}
	if err := build(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "rootfs:", err)
		os.Exit(1)
	}
}

func build(into string) error {
	root, err := repository.Root()
	if err != nil {
		return err
	}
	images, err := docker.Images(filepath.Join(root, "deploy/docker/Dockerfile"))
	if err != nil {
		return err
	}
	out, err := os.MkdirTemp("", "serein-images-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(out) }()
	stages := docker.Stages{Repository: root, Out: out, Certificates: docker.SystemCertificates()}
	for _, image := range images {
		if err := docker.Compile(root, image.Name, out); err != nil {
			return err
		}
	}
	if err := docker.TimeZones(out); err != nil {
		return err
	}
	for _, image := range images {
		folder := filepath.Join(into, image.Name)
		if err := errors.Join(image.Build(folder, stages), describe(image, folder+".json")); err != nil {
			return err
		}
		if err := writeBOM(filepath.Join(into, "sbom", image.Name+".cdx.json"), image, stages); err != nil {
			return err
		}
	}
	return nil
}

// writeBOM writes what an image is made of.
func writeBOM(path string, image docker.Image, stages docker.Stages) error {
	bom, err := image.BOM(stages)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil { //nolint:gosec // below the folder that the caller names
		return err
	}
	out, err := os.Create(path) //nolint:gosec // below the folder that the caller names
	if err != nil {
		return err
	}
	return errors.Join(cdx.NewBOMEncoder(out, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom), out.Close())
}

// describe writes how an image's program is started.
func describe(image docker.Image, file string) error {
	content, err := json.Marshal(image)
	if err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644) //nolint:gosec // nothing secret
}
