package tilt

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"serein.app/deploy/k8s/check"
)

// ours is how the names of images begin that come from this repository.
const ours = "serein/"

// imagesOf are the images of a workload that come from this repository, without their tags.
func imagesOf(w check.Workload) (found []string) {
	for _, c := range slices.Concat(w.Pod.Spec.InitContainers, w.Pod.Spec.Containers) {
		name, _, _ := strings.Cut(c.Image, ":")
		if strings.HasPrefix(name, ours) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}

// workloadsHere are those of the overlay.
func (p *Plan) workloadsHere() []check.Workload {
	if p.installation == nil {
		return nil
	}
	return p.installation.Workloads()
}

// images: each image of the overlay that is ours is built once, and nothing else is built.
func images(p *Plan) (said []string) {
	built := map[string]int{}
	for _, c := range p.named("docker_build", "custom_build") {
		built[c.text("ref")]++
	}
	used := map[string]bool{}
	for _, w := range p.workloadsHere() {
		for _, image := range imagesOf(w) {
			used[image] = true
		}
	}
	for image := range used {
		if built[image] == 0 {
			said = append(said, "nothing builds "+image)
		}
	}
	for image, times := range built {
		if times > 1 {
			said = append(said, image+" is built twice")
		}
		if !used[image] {
			said = append(said, "nothing uses "+image)
		}
	}
	return said
}

var stage = regexp.MustCompile(`(?im)^FROM .* AS (\S+)\s*$`)

// stages: an image is built from a stage of its Dockerfile.
func stages(p *Plan) (said []string) {
	for _, c := range p.named("docker_build") {
		text, err := os.ReadFile(p.path(p.dockerfile(c)))
		if err != nil {
			said = append(said, fmt.Sprintf("%s: %v", c, err))
			continue
		}
		found := stage.FindAllStringSubmatch(string(text), -1)
		if !slices.ContainsFunc(found, func(match []string) bool { return match[1] == c.text("target") }) {
			said = append(said, fmt.Sprintf("%s: %s has no stage %q", c, p.dockerfile(c), c.text("target")))
		}
	}
	return said
}

// dockerfile is the one that an image is built by.
func (p *Plan) dockerfile(c Call) string {
	if named := c.text("dockerfile"); named != "" {
		return named
	}
	return path.Join(c.text("context"), "Dockerfile")
}

// liveUpdates: steps come in Tilt's order and each is used; files come from the folder that the image is built from and go to one that
// every pod may write to.
func liveUpdates(p *Plan) (said []string) {
	used := map[string]int{}
	for _, c := range p.named("docker_build") {
		done := c.values("live_update")
		if !slices.IsSortedFunc(done, func(a, b Call) int { return slices.Index(steps, a.Name) - slices.Index(steps, b.Name) }) {
			said = append(said, c.String()+": its steps are not in Tilt's order")
		}
		for _, step := range done {
			used[step.Position.String()]++
			if step.Name == "sync" {
				said = append(said, p.syncs(c, step)...)
			}
			if step.Name == "restart_container" {
				said = append(said, step.String()+" is not for Kubernetes")
			}
		}
	}
	for _, step := range p.named(steps...) {
		if used[step.Position.String()] == 0 {
			said = append(said, step.String()+" is no step of an image")
		}
	}
	return said
}

// syncs says what is wrong with a step that brings files to the containers of an image.
func (p *Plan) syncs(image, step Call) (said []string) {
	if !within(image.text("context"), step.text("local_path")) {
		said = append(said, fmt.Sprintf("%s: %s is not in %s", step, step.text("local_path"), image.text("context")))
	}
	for _, w := range p.workloadsHere() {
		if w.Kind == "Deployment" && slices.Contains(imagesOf(w), image.text("ref")) && !writable(w, step.text("remote_path")) {
			said = append(said, fmt.Sprintf("%s: %s cannot write to %s", step, w, step.text("remote_path")))
		}
	}
	return said
}

// writable says whether the main container of a workload has a volume at a path.
func writable(w check.Workload, to string) bool {
	return slices.ContainsFunc(w.Pod.Spec.Containers[0].VolumeMounts, func(m corev1.VolumeMount) bool {
		return within(m.MountPath, to) && !m.ReadOnly
	})
}
