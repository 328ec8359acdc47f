package check

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"serein.app/deploy/local/settings"
)

// Labels that manifests are read by.
const (
	partLabel = "serein.app/part" // what a pod is; policies and services name it by this
	kindLabel = "serein.app/kind" // "program" on a service or the gateway
	stepLabel = "serein.app/step" // a Job before the programs
)

// waveAnnotation orders what Argo CD applies.
const waveAnnotation = "argocd.argoproj.io/sync-wave"

// namespace is where everything is.
const namespace = "serein"

// Installation is what an overlay renders to, with what it is held against.
type Installation struct {
	// Name of the overlay.
	Name    string
	Objects []Object

	// variables of each program, from its source.
	variables map[string][]settings.Variable
	// beside are the connections of a pod of each program beside its pool, from its source.
	beside map[string]int
	// documented is what README.md says.
	documented tables
	// metrics are those that the programs tell.
	metrics map[string]bool
	// adapter are the rules of prometheus-adapter.yaml.
	adapter []adapterRule
}

// learn reads the settings of every program that is here.
func (i *Installation) learn(root string) error {
	i.variables, i.beside = map[string][]settings.Variable{}, map[string]int{}
	for _, w := range i.programs() {
		if i.variables[w.program()] != nil {
			continue
		}
		found, err := settings.Of(root, w.program())
		if err != nil {
			return fmt.Errorf("%s: %w", w.Name, err)
		}
		i.variables[w.program()] = found
		if i.beside[w.program()], err = connectionsBeside(root, w.program()); err != nil {
			return err
		}
	}
	return nil
}

// of gives the objects of a type.
func of[T Object](i *Installation) (found []T) {
	for _, object := range i.Objects {
		if typed, ok := object.(T); ok {
			found = append(found, typed)
		}
	}
	return found
}

// named gives the object of a type and name; the zero value if the overlay has no such object.
func named[T Object](i *Installation, name string) (found T) {
	for _, object := range of[T](i) {
		if object.GetName() == name {
			return object
		}
	}
	return found
}

// custom gives the custom resources of a kind.
func (i *Installation) custom(kind string) (found []*unstructured.Unstructured) {
	for _, object := range of[*unstructured.Unstructured](i) {
		if object.GetKind() == kind {
			found = append(found, object)
		}
	}
	return found
}

// Workload is what runs pods. Its fields point into the object.
type Workload struct {
	Kind, Name string
	Labels     map[string]string
	// Wave is when Argo CD applies it.
	Wave     string
	Pod      *corev1.PodTemplateSpec
	Replicas *int32
	Selector *metav1.LabelSelector
	// Strategy of a Deployment's roll-out; nil elsewhere.
	Strategy *appsv1.DeploymentStrategy
}

// Workloads are all that run pods, but for the database's cluster, whose pods are its operator's.
func (i *Installation) Workloads() (found []Workload) {
	for _, object := range i.Objects {
		switch o := object.(type) {
		case *appsv1.Deployment:
			found = append(found, Workload{"Deployment", o.Name, o.Labels, o.Annotations[waveAnnotation], &o.Spec.Template, o.Spec.Replicas, o.Spec.Selector, &o.Spec.Strategy})
		case *appsv1.StatefulSet:
			found = append(found, Workload{"StatefulSet", o.Name, o.Labels, o.Annotations[waveAnnotation], &o.Spec.Template, o.Spec.Replicas, o.Spec.Selector, nil})
		case *batchv1.Job:
			found = append(found, Workload{"Job", o.Name, o.Labels, o.Annotations[waveAnnotation], &o.Spec.Template, nil, nil, nil})
		}
	}
	return found
}

// programs are the Deployments of services and of the gateway.
func (i *Installation) programs() (found []Workload) {
	for _, w := range i.Workloads() {
		if w.Kind == "Deployment" && w.Labels[kindLabel] == "program" {
			found = append(found, w)
		}
	}
	return found
}

// String names a workload in what rules say.
func (w Workload) String() string { return w.Kind + " " + w.Name }

// main is the container that the pod is for.
func (w Workload) main() *corev1.Container { return &w.Pod.Spec.Containers[0] }

// containers are all of the pod, those that begin before the others among them.
func (w Workload) containers() (found []*corev1.Container) {
	for c := range w.Pod.Spec.InitContainers {
		found = append(found, &w.Pod.Spec.InitContainers[c])
	}
	for c := range w.Pod.Spec.Containers {
		found = append(found, &w.Pod.Spec.Containers[c])
	}
	return found
}

// program is the program that the main container's image is of: narration is generation.
func (w Workload) program() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(w.main().Image, "serein/"), ":")
	return name
}

// variable is one of the main container's; nil where it is not set.
func (w Workload) variable(name string) *corev1.EnvVar {
	for v := range w.main().Env {
		if w.main().Env[v].Name == name {
			return &w.main().Env[v]
		}
	}
	return nil
}

// value is what a variable is set to, in the manifest or in a ConfigMap; empty where it is a secret.
func (i *Installation) value(v *corev1.EnvVar) string {
	if v == nil {
		return ""
	}
	if v.ValueFrom == nil || v.ValueFrom.ConfigMapKeyRef == nil {
		return v.Value
	}
	ref := v.ValueFrom.ConfigMapKeyRef
	if found := named[*corev1.ConfigMap](i, ref.Name); found != nil {
		return found.Data[ref.Key]
	}
	return ""
}
