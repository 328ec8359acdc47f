package check

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// secretUse is that somebody reads a key of a secret; no key: all of it.
type secretUse struct{ who, secret, key string }

// secretsOfTheTable: every secret that is read is in README.md with its key, has only readers whom it is for, and is read at all; in prod it is
// written by the object that README.md names.
func secretsOfTheTable(i *Installation) (said []string) {
	read := map[string]bool{}
	for _, use := range i.secretUses() {
		read[use.secret+"/"+use.key] = true
		row := i.documented.secrets[use.secret]
		if !slices.Contains(row.overlays, i.Name) || use.key != "" && !slices.Contains(row.keys, use.key) {
			said = append(said, fmt.Sprintf("%s reads %s of secret %s, which README.md does not have", use.who, use.key, use.secret))
		}
	}
	for name, row := range i.documented.secrets {
		if !slices.Contains(row.overlays, i.Name) {
			continue
		}
		for _, key := range row.keys {
			if !read[name+"/"+key] && !read[name+"/"] {
				said = append(said, fmt.Sprintf("nobody reads %s of secret %s, which README.md has", key, name))
			}
			if i.Name == "prod" && !i.written(name, key, row.maker) {
				said = append(said, fmt.Sprintf("nothing writes %s of secret %s", key, name))
			}
		}
	}
	return slices.Concat(said, i.otherPeoplesSecrets(), i.databaseAuthorities())
}

// secretUses are all places where a Secret is read.
func (i *Installation) secretUses() (found []secretUse) {
	for _, w := range i.Workloads() {
		for _, c := range w.containers() {
			for _, v := range c.Env {
				if v.ValueFrom != nil && v.ValueFrom.SecretKeyRef != nil {
					found = append(found, secretUse{w.String(), v.ValueFrom.SecretKeyRef.Name, v.ValueFrom.SecretKeyRef.Key})
				}
			}
		}
		for _, volume := range w.Pod.Spec.Volumes {
			found = append(found, volumeSecrets(w.String(), volume)...)
		}
	}
	for _, gateway := range i.gateways() {
		for _, listener := range gateway.Spec.Listeners {
			if listener.TLS == nil {
				continue
			}
			for _, ref := range listener.TLS.CertificateRefs {
				found = append(found, secretUse{"Gateway " + gateway.Name, string(ref.Name), ""})
			}
		}
	}
	for _, issuer := range i.custom("Issuer") {
		if name := nested[string](issuer, "spec", "ca", "secretName"); name != "" {
			found = append(found, secretUse{"Issuer " + issuer.GetName(), name, ""})
		}
	}
	return found
}

func volumeSecrets(who string, volume corev1.Volume) (found []secretUse) {
	if volume.Secret != nil {
		found = append(found, keysOf(who, volume.Secret.SecretName, volume.Secret.Items)...)
	}
	if volume.Projected != nil {
		for _, source := range volume.Projected.Sources {
			if source.Secret != nil {
				found = append(found, keysOf(who, source.Secret.Name, source.Secret.Items)...)
			}
		}
	}
	return found
}

// keysOf are the uses of a secret by a volume: of the keys that it names, or of all.
func keysOf(who, secret string, items []corev1.KeyToPath) (found []secretUse) {
	for _, item := range items {
		found = append(found, secretUse{who, secret, item.Key})
	}
	if len(items) == 0 {
		found = append(found, secretUse{who, secret, ""})
	}
	return found
}

// written says whether an object here writes a key of a secret, or somebody else does who is none of these.
func (i *Installation) written(secret, key, maker string) bool {
	switch {
	case strings.Contains(maker, "ExternalSecret"):
		return slices.ContainsFunc(i.custom("ExternalSecret"), func(e *unstructured.Unstructured) bool {
			return nested[string](e, "spec", "target", "name") == secret && slices.ContainsFunc(nested[[]any](e, "spec", "data"), func(entry any) bool {
				fields, _ := entry.(map[string]any)
				return fields["secretKey"] == key
			})
		})
	case strings.Contains(maker, "Certificate"):
		return slices.ContainsFunc(i.custom("Certificate"), func(c *unstructured.Unstructured) bool {
			return nested[string](c, "spec", "secretName") == secret
		})
	}
	return true
}

// otherPeoplesSecrets reports references to secrets of other programs. A program reads only the secret with its name, and each variable comes
// from the key with the variable's name. The job that provisions the databases reads all their addresses, each key prefixed by the
// service's name.
func (i *Installation) otherPeoplesSecrets() (said []string) {
	for _, w := range i.Workloads() {
		for _, v := range w.main().Env {
			if v.ValueFrom == nil || v.ValueFrom.SecretKeyRef == nil {
				continue
			}
			ref := v.ValueFrom.SecretKeyRef
			if w.Labels[kindLabel] == "program" && (ref.Name != w.program() || ref.Key != v.Name) {
				said = append(said, fmt.Sprintf("%s: %s is %s of secret %s", w, v.Name, ref.Key, ref.Name))
			}
			service := strings.ToLower(strings.TrimSuffix(v.Name, "_"+ref.Key))
			if w.Name == "provision" && strings.HasSuffix(v.Name, "_DATABASE_URL") && ref.Name != service && ref.Name != service+"-migrate" {
				said = append(said, fmt.Sprintf("%s: %s is of secret %s", w, v.Name, ref.Name))
			}
		}
	}
	return said
}

// databaseAuthorities: in prod a program has the authority of the database if it asks the database, and no other has it.
func (i *Installation) databaseAuthorities() (said []string) {
	for _, w := range i.programs() {
		has := slices.ContainsFunc(w.Pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Secret != nil && v.Secret.SecretName == "postgres-ca" })
		if want := i.Name == "prod" && w.variable("DATABASE_URL") != nil; has != want {
			said = append(said, fmt.Sprintf("%s: secret postgres-ca and DATABASE_URL do not agree", w))
		}
	}
	return said
}

// nested is a field of a custom resource; the zero value where it is not there.
func nested[T any](object *unstructured.Unstructured, path ...string) (found T) {
	value, _, _ := unstructured.NestedFieldNoCopy(object.Object, path...)
	found, _ = value.(T)
	return found
}
