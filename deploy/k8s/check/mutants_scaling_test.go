package check

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var scalingMutants = []mutant{
	{"replicas beside a scaler", "prod", "replicas or a scaler", func(i *Installation) {
		three := int32(3)
		named[*appsv1.Deployment](i, "billing").Spec.Replicas = &three
	}},
	{"a scaler of nothing", "prod", "scaler's target", func(i *Installation) { scaler(i).Spec.ScaleTargetRef.Name = "biling" }},
	{"a scaler that goes down to one", "prod", "scaler's target", func(i *Installation) { *scaler(i).Spec.MinReplicas = 1 }},
	{"no scaler", "prod", "scaler's target", func(i *Installation) { i.without("HorizontalPodAutoscaler", "narration") }},
	{"a scaler by a metric that no program tells", "prod", "scaler's metric", func(i *Installation) {
		narrationMetric(i).External.Metric.Name = "serein_generation_queue_wait_seconds"
	}},
	{"a scaler by a metric that the adapter does not bring", "prod", "scaler's metric", func(i *Installation) {
		narrationMetric(i).External.Metric.Name = "serein_generation_queue_sound_seconds"
	}},
	{"a scaler by the sum of what all pods tell", "prod", "scaler's metric", func(i *Installation) {
		i.adapter = []adapterRule{{i.adapter[0].SeriesQuery, "sum(<<.Series>>{<<.LabelMatchers>>})"}}
	}},
	{"a scaler by memory", "prod", "scaler's metric", func(i *Installation) { scaler(i).Spec.Metrics[0].Resource.Name = corev1.ResourceMemory }},
	{"a scaler by a metric of pods", "prod", "scaler's metric", func(i *Installation) {
		narrationMetric(i).Type = autoscalingv2.PodsMetricSourceType
	}},
	{"a budget that blocks a drain", "prod", "disruption budget", func(i *Installation) {
		all := intstr.FromString("100%")
		budget(i).Spec.MaxUnavailable, budget(i).Spec.MinAvailable = nil, &all
	}},
	{"a budget of as many as there are", "prod", "disruption budget", func(i *Installation) {
		two := intstr.FromInt32(2)
		budget(i).Spec.MaxUnavailable, budget(i).Spec.MinAvailable = nil, &two
	}},
	{"a budget of nothing", "dev", "disruption budget", func(i *Installation) { budget(i).Spec.Selector.MatchLabels[partLabel] = "biling" }},
	{"no budget", "dev", "disruption budget", func(i *Installation) { i.without("PodDisruptionBudget", "gateway") }},
	{"a spread that matches nothing", "dev", "spread", func(i *Installation) {
		billing(i).TopologySpreadConstraints[0].LabelSelector.MatchLabels = map[string]string{partLabel: "biling"}
	}},
	{"a Deployment without its own pods", "dev", "own pods", func(i *Installation) {
		named[*appsv1.Deployment](i, "billing").Spec.Selector.MatchLabels = map[string]string{partLabel: "biling"}
	}},
	{"a Deployment that counts others' pods", "dev", "own pods", func(i *Installation) {
		named[*appsv1.Deployment](i, "billing").Spec.Selector.MatchLabels = map[string]string{kindLabel: "program"}
	}},
	{"no spread", "dev", "spread", func(i *Installation) { billing(i).TopologySpreadConstraints = nil }},
}

func scaler(i *Installation) *autoscalingv2.HorizontalPodAutoscaler {
	return named[*autoscalingv2.HorizontalPodAutoscaler](i, "billing")
}

func narrationMetric(i *Installation) *autoscalingv2.MetricSpec {
	return &named[*autoscalingv2.HorizontalPodAutoscaler](i, "narration").Spec.Metrics[0]
}

func budget(i *Installation) *policyv1.PodDisruptionBudget {
	return named[*policyv1.PodDisruptionBudget](i, "billing")
}

func policyOf(i *Installation, name string) *networkingv1.NetworkPolicySpec {
	return &named[*networkingv1.NetworkPolicy](i, name).Spec
}
