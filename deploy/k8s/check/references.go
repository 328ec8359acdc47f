package check

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// references: what a pod names is there: its service account, the keys of ConfigMaps, claims, and the volumes of its mounts.
func references(i *Installation) (said []string) {
	for _, w := range i.Workloads() {
		if account := w.Pod.Spec.ServiceAccountName; named[*corev1.ServiceAccount](i, account) == nil {
			said = append(said, fmt.Sprintf("%s: there is no ServiceAccount %q", w, account))
		}
		for _, c := range w.containers() {
			for _, v := range c.Env {
				if v.ValueFrom == nil || v.ValueFrom.ConfigMapKeyRef == nil {
					continue
				}
				ref := v.ValueFrom.ConfigMapKeyRef
				if settings := named[*corev1.ConfigMap](i, ref.Name); settings == nil || !has(settings.Data, ref.Key) {
					said = append(said, fmt.Sprintf("%s: there is no %s in ConfigMap %s", w, ref.Key, ref.Name))
				}
			}
			for _, mount := range c.VolumeMounts {
				if !hasVolume(w, mount.Name) {
					said = append(said, fmt.Sprintf("%s: there is no volume %s", w, mount.Name))
				}
			}
		}
		for _, volume := range w.Pod.Spec.Volumes {
			if name := i.missing(volume); name != "" {
				said = append(said, fmt.Sprintf("%s: there is no %s", w, name))
			}
		}
	}
	return said
}

func has(data map[string]string, key string) bool { _, ok := data[key]; return ok }

// hasVolume says whether a pod has the volume, or claims it by a template.
func hasVolume(w Workload, name string) bool {
	for _, volume := range w.Pod.Spec.Volumes {
		if volume.Name == name {
			return true
		}
	}
	return w.Kind == "StatefulSet" && name == "data"
}

// missing names the object of a volume that there is not.
func (i *Installation) missing(v corev1.Volume) string {
	configs := []string{}
	if v.ConfigMap != nil {
		configs = append(configs, v.ConfigMap.Name)
	}
	if v.Projected != nil {
		for _, source := range v.Projected.Sources {
			if source.ConfigMap != nil {
				configs = append(configs, source.ConfigMap.Name)
			}
		}
	}
	for _, name := range configs {
		if named[*corev1.ConfigMap](i, name) == nil {
			return "ConfigMap " + name
		}
	}
	if claim := v.PersistentVolumeClaim; claim != nil && named[*corev1.PersistentVolumeClaim](i, claim.ClaimName) == nil {
		return "PersistentVolumeClaim " + claim.ClaimName
	}
	return ""
}
