// Package docker knows the images of all programs: it reads them from the Dockerfile, builds the same root file systems
// without Docker, and lists what they are made of. It builds no image itself; Docker does.
package docker

import (
	"fmt"
	"os"
	"strings"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// Image is the last stage of a program, with what it has of the stages that it is based on.
type Image struct {
	// Name of the stage, which is the program's.
	Name string `json:"name"`
	// Copies are files and folders, in order.
	Copies []Copy `json:"-"`
	// Environ is what the image sets.
	Environ map[string]string `json:"environ"`
	// User and group, as numbers: "65532:65532".
	User string `json:"user"`
	// Entrypoint is the program with its arguments.
	Entrypoint []string `json:"entrypoint"`
}

// Copy brings a file or folder of another stage into an image.
type Copy struct{ From, Source, To, Owner string }

// Images reads the images of a Dockerfile: the stages that have an entrypoint.
func Images(dockerfile string) ([]Image, error) {
	file, err := os.Open(dockerfile)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	parsed, err := parser.Parse(file)
	if err != nil {
		return nil, err
	}
	stages, _, err := instructions.Parse(parsed.AST, nil)
	if err != nil {
		return nil, err
	}
	known := map[string]Image{}
	var images []Image
	for _, stage := range stages {
		image, err := imageOf(stage, known[stage.BaseName])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", stage.Name, err)
		}
		known[stage.Name] = image
		if len(image.Entrypoint) > 0 {
			images = append(images, image)
		}
	}
	return images, nil
}

// imageOf adds a stage's commands to the stage that it is based on. Stages that build have others, which change no image.
func imageOf(stage instructions.Stage, base Image) (Image, error) {
	image := Image{Name: stage.Name, Copies: append([]Copy(nil), base.Copies...), Environ: map[string]string{}, User: base.User}
	for name, value := range base.Environ {
		image.Environ[name] = value
	}
	for _, command := range stage.Commands {
		switch command := command.(type) {
		case *instructions.CopyCommand:
			if command.From == "" {
				continue // a stage that builds, out of the repository
			}
			if len(command.SourcePaths) != 1 || strings.ContainsAny(command.SourcePaths[0], "*?[$") {
				return Image{}, fmt.Errorf("COPY %v: one path each, without patterns", command.SourcePaths)
			}
			image.Copies = append(image.Copies, Copy{command.From, command.SourcePaths[0], command.DestPath, command.Chown})
		case *instructions.EnvCommand:
			for _, pair := range command.Env {
				image.Environ[pair.Key] = pair.Value
			}
		case *instructions.UserCommand:
			image.User = command.User
		case *instructions.EntrypointCommand:
			image.Entrypoint = command.CmdLine
		}
	}
	return image, nil
}
