package main

import (
	"cmp"
	"path/filepath"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"serein.app/deploy/k8s/check"
)

// Limit is something that deploy/k8s/overlays/prod sets a number for.
type Limit struct {
	Name string
	// Members is how many members it is enough for, with the habits of a demand.
	Members float64
	// Change is what an operator changes when it is not enough.
	Change string
}

// limits of the overlay prod at root, the one that is reached first in front.
func limits(root string, d Demand, n Need) ([]Limit, error) {
	installation, err := check.Load(root, "overlays/prod")
	if err != nil {
		return nil, err
	}
	var found []Limit
	enough := func(name string, has, needs float64, change string) {
		found = append(found, Limit{name, d.Members * has / needs, change})
	}
	for _, object := range installation.Objects {
		scaler, ok := object.(*autoscalingv2.HorizontalPodAutoscaler)
		if !ok || n.Processors[scaler.Name] == 0 {
			continue
		}
		pods := float64(scaler.Spec.MaxReplicas)
		enough("processors of "+scaler.Name, pods*processors(installation, scaler.Name), n.Processors[scaler.Name],
			"`maxReplicas` in `"+filepath.Join(check.Folder, "base", scaler.Name, "scaling.yaml")+"`")
	}
	enough("streams of generation's events", streamBytes, n.Events, "`NATS_STREAM_BYTES`, and the brokers' disks")
	enough("disk of PostgreSQL after a year", databaseBytes, n.Rows, "`storage` in `deploy/k8s/overlays/prod/postgres.yaml`")
	slices.SortFunc(found, func(a, b Limit) int { return cmp.Compare(a.Members, b.Members) })
	return found, nil
}

// streamBytes is the default of NATS_STREAM_BYTES. databaseBytes is the storage of a server of PostgreSQL in the overlay prod.
const streamBytes, databaseBytes = 1 * gib, 50 * gib

// processors that one pod of a program may use.
func processors(installation *check.Installation, program string) float64 {
	for _, object := range installation.Objects {
		if deployment, ok := object.(*appsv1.Deployment); ok && deployment.Name == program {
			limit := deployment.Spec.Template.Spec.Containers[0].Resources.Limits.Cpu()
			return limit.AsApproximateFloat64()
		}
	}
	return 0
}
