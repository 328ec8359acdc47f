package check

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// scalerOf is the autoscaler of a workload; nil if nothing scales it.
func (i *Installation) scalerOf(w Workload) *autoscalingv2.HorizontalPodAutoscaler {
	for _, scaler := range of[*autoscalingv2.HorizontalPodAutoscaler](i) {
		if target := scaler.Spec.ScaleTargetRef; target.Kind == w.Kind && target.Name == w.Name {
			return scaler
		}
	}
	return nil
}

// fewest is how many pods a workload has at least.
func (i *Installation) fewest(w Workload) int32 {
	if scaler := i.scalerOf(w); scaler != nil && scaler.Spec.MinReplicas != nil {
		return *scaler.Spec.MinReplicas
	}
	if w.Replicas != nil {
		return *w.Replicas
	}
	return 1
}

// most is how many pods a workload has at most.
func (i *Installation) most(w Workload) int32 {
	if scaler := i.scalerOf(w); scaler != nil {
		return scaler.Spec.MaxReplicas
	}
	return i.fewest(w)
}

// surge is how many pods a roll-out has beside so many others.
func (w Workload) surge(pods int) int {
	if w.Strategy == nil || w.Strategy.RollingUpdate == nil || w.Strategy.RollingUpdate.MaxSurge == nil {
		return (pods + 3) / 4 // a quarter, which is Kubernetes' default
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(w.Strategy.RollingUpdate.MaxSurge, pods, true)
	if err != nil {
		return pods
	}
	return n
}

// replicasOrScaler: a number beside an autoscaler would set its work back at each roll-out.
func replicasOrScaler(i *Installation) (said []string) {
	for _, w := range i.Workloads() {
		if w.Replicas != nil && i.scalerOf(w) != nil {
			said = append(said, w.String()+" has replicas beside its autoscaler")
		}
	}
	return said
}

// scalerTargets: an autoscaler scales a Deployment that there is, on more than one pod, and every program of prod has one.
func scalerTargets(i *Installation) (said []string) {
	scaled := map[string]bool{}
	for _, scaler := range of[*autoscalingv2.HorizontalPodAutoscaler](i) {
		target := scaler.Spec.ScaleTargetRef
		if target.Kind != "Deployment" || target.APIVersion != "apps/v1" || named[*appsv1.Deployment](i, target.Name) == nil {
			said = append(said, fmt.Sprintf("HorizontalPodAutoscaler %s scales %s %s, which there is not", scaler.Name, target.Kind, target.Name))
		}
		if least := scaler.Spec.MinReplicas; least == nil || *least < 2 || *least > scaler.Spec.MaxReplicas || len(scaler.Spec.Metrics) == 0 {
			said = append(said, fmt.Sprintf("HorizontalPodAutoscaler %s: want two pods or more, and a metric", scaler.Name))
		}
		scaled[target.Name] = true
	}
	for _, w := range i.programs() {
		if i.Name == "prod" && !scaled[w.Name] && len(said) == 0 {
			said = append(said, w.String()+" has no autoscaler")
		}
	}
	return said
}

// budgets: every program has one budget, which selects it, and none of them blocks a drain.
func budgets(i *Installation) (said []string) {
	covered := map[string]bool{}
	for _, budget := range of[*policyv1.PodDisruptionBudget](i) {
		matched := 0
		for _, w := range i.Workloads() {
			if w.Kind == "Job" || !selects(budget.Spec.Selector, w.Pod.Labels) {
				continue
			}
			covered[w.Name] = true
			matched++
			if !evicts(budget.Spec, int(i.fewest(w))) {
				said = append(said, fmt.Sprintf("PodDisruptionBudget %s lets no pod of %s go", budget.Name, w))
			}
		}
		if matched != 1 {
			said = append(said, fmt.Sprintf("PodDisruptionBudget %s selects %d workloads", budget.Name, matched))
		}
	}
	for _, w := range i.programs() {
		if !covered[w.Name] {
			said = append(said, w.String()+" has no disruption budget")
		}
	}
	return said
}

// evicts says whether of so many pods that are well one may be evicted.
func evicts(spec policyv1.PodDisruptionBudgetSpec, pods int) bool {
	if most := spec.MaxUnavailable; most != nil {
		n, err := intstr.GetScaledValueFromIntOrPercent(most, pods, true)
		return err == nil && n > 0
	}
	if least := spec.MinAvailable; least != nil {
		n, err := intstr.GetScaledValueFromIntOrPercent(least, pods, true)
		return err == nil && n < pods
	}
	return true
}

// spreads: every program's pods are kept apart, and a constraint that matches not even its own pod keeps nothing apart.
func spreads(i *Installation) (said []string) {
	for _, w := range i.Workloads() {
		constraints := w.Pod.Spec.TopologySpreadConstraints
		if len(constraints) == 0 && w.Labels[kindLabel] == "program" {
			said = append(said, w.String()+" is not spread")
		}
		for _, c := range constraints {
			if !selects(c.LabelSelector, w.Pod.Labels) {
				said = append(said, fmt.Sprintf("%s: its spread by %s matches none of its pods", w, c.TopologyKey))
			}
		}
	}
	return said
}

// ownPods: a workload counts the pods that it makes, and no other counts them too.
func ownPods(i *Installation) (said []string) {
	for _, w := range i.Workloads() {
		for _, other := range i.Workloads() {
			if own := w.Name == other.Name && w.Kind == other.Kind; w.Selector != nil && selects(w.Selector, other.Pod.Labels) != own {
				said = append(said, fmt.Sprintf("%s and the pods of %s: its selector is wrong", w, other))
			}
		}
	}
	return said
}

// selects says whether a selector matches labels. No selector matches nothing.
func selects(selector *metav1.LabelSelector, of map[string]string) bool {
	found, err := metav1.LabelSelectorAsSelector(selector)
	return err == nil && found.Matches(labels.Set(of))
}
