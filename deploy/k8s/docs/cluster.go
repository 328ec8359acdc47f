package docs

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"serein.app/deploy/k8s/check"
)

// cluster is what the overlays make, all of them together.
type cluster struct {
	// names of objects, by kind.
	names map[string]map[string]bool
	// containers of each Deployment, StatefulSet, Job and Pod by kind/name, with their images.
	containers map[string]map[string]string
	// ports of each Service.
	ports map[string]map[string]bool
	// labels are the values of each.
	labels map[string]map[string]bool
	// variables that containers are given.
	variables map[string]bool
	// keys of secrets.
	keys map[string]bool
}

func newCluster() *cluster {
	return &cluster{
		map[string]map[string]bool{},
		map[string]map[string]string{},
		map[string]map[string]bool{},
		map[string]map[string]bool{},
		map[string]bool{},
		map[string]bool{},
	}
}

// readCluster renders the overlays.
func readCluster(root string, overlays ...string) (*cluster, error) {
	c := newCluster()
	for _, overlay := range overlays {
		installation, err := check.Load(root, overlay)
		if err != nil {
			return nil, err
		}
		for _, object := range installation.Objects {
			c.add(object)
		}
		for _, workload := range installation.Workloads() {
			c.run(workload)
		}
		for name, keys := range installation.Secrets() {
			c.name("Secret", name)
			for _, key := range keys {
				c.keys[key] = true
			}
		}
	}
	return c, nil
}

func (c *cluster) name(kind, name string) {
	if c.names[kind] == nil {
		c.names[kind] = map[string]bool{}
	}
	c.names[kind][name] = true
}

func (c *cluster) label(labels map[string]string) {
	for key, value := range labels {
		if c.labels[key] == nil {
			c.labels[key] = map[string]bool{}
		}
		c.labels[key][value] = true
	}
}

func (c *cluster) add(object check.Object) {
	kind := object.GetObjectKind().GroupVersionKind().Kind
	c.name(kind, object.GetName())
	c.label(object.GetLabels())
	switch o := object.(type) {
	case *corev1.Service:
		c.ports[o.Name] = map[string]bool{}
		for _, port := range o.Spec.Ports {
			c.ports[o.Name][strconv.Itoa(int(port.Port))] = true
		}
	case *unstructured.Unstructured:
		if secret, ok, _ := unstructured.NestedString(o.Object, "spec", "secretName"); ok && kind == "Certificate" {
			c.name("Secret", secret)
		}
		if kind == "Cluster" { // its operator makes the pods
			instances, _, _ := unstructured.NestedInt64(o.Object, "spec", "instances")
			for n := range instances {
				c.pod(fmt.Sprintf("%s-%d", o.GetName(), n+1), map[string]string{"postgres": "postgres"})
			}
		}
	}
}

func (c *cluster) pod(name string, containers map[string]string) {
	c.name("Pod", name)
	c.contain("Pod/"+name, containers)
}

// contain keeps the containers of all overlays.
func (c *cluster) contain(workload string, containers map[string]string) {
	if c.containers[workload] == nil {
		c.containers[workload] = map[string]string{}
	}
	maps.Copy(c.containers[workload], containers)
}

// run notes what a workload's pods are: their containers, labels and variables, and the names of those that are numbered.
func (c *cluster) run(w check.Workload) {
	c.label(w.Pod.Labels)
	containers := map[string]string{}
	for _, container := range slices.Concat(w.Pod.Spec.InitContainers, w.Pod.Spec.Containers) {
		image, _, _ := strings.Cut(container.Image, ":")
		containers[container.Name] = image
		for _, variable := range container.Env {
			c.variables[variable.Name] = true
		}
	}
	c.contain(w.Kind+"/"+w.Name, containers)
	if w.Kind != "StatefulSet" {
		return
	}
	replicas := int32(1)
	if w.Replicas != nil {
		replicas = *w.Replicas
	}
	for n := range replicas {
		pod := fmt.Sprintf("%s-%d", w.Name, n)
		c.pod(pod, containers)
		c.name("PersistentVolumeClaim", "data-"+pod)
	}
}
