package check

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// mutant is a fault planted into what an overlay renders to; notices is the rule that says so, and no other does.
type mutant struct {
	fault, overlay, notices string
	plant                   func(*Installation)
}

var mutants = slices.Concat(podMutants, scalingMutants, networkMutants, environmentMutants, certificateMutants, otherMutants)

func TestEachMutantIsNoticedByItsRuleAlone(t *testing.T) {
	t.Parallel()
	whole := map[string]*Installation{"dev": load(t, "overlays/dev"), "prod": load(t, "overlays/prod")}
	tried := map[string]bool{}
	for _, m := range mutants {
		i := whole[m.overlay].copied()
		m.plant(i)
		found := i.Findings()
		require.Equal(t, []string{m.notices}, slices.Sorted(maps.Keys(found)), "%s: %v", m.fault, found)
		tried[m.notices] = true
	}
	for _, r := range rules {
		require.True(t, tried[r.name], "no mutant tries the rule %q", r.name)
	}
	t.Logf("%d mutants noticed by %d rules", len(mutants), len(rules))
}

// copied is a copy of the installation whose objects a test may change.
func (i *Installation) copied() *Installation {
	other := *i
	other.Objects = nil
	for _, object := range i.Objects {
		other.Objects = append(other.Objects, object.DeepCopyObject().(Object))
	}
	return &other
}

// without takes an object out.
func (i *Installation) without(kind, name string) {
	i.Objects = slices.DeleteFunc(i.Objects, func(o Object) bool { return kindOf(o).Kind == kind && o.GetName() == name })
}

func billing(i *Installation) *corev1.PodSpec {
	return &named[*appsv1.Deployment](i, "billing").Spec.Template.Spec
}

func container(i *Installation) *corev1.Container { return &billing(i).Containers[0] }
