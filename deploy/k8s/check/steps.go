package check

import (
	"fmt"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// migrations: each program with a database has a Job that migrates it as its owner, from the program's own image, before the roll-out;
// it ends for good when it fails, and the owner's address is nobody else's. The provision Job knows the same databases.
func migrations(i *Installation) (said []string) {
	provision := named[*batchv1.Job](i, "provision")
	for _, w := range i.programs() {
		if w.variable("DATABASE_URL") == nil {
			continue
		}
		job := named[*batchv1.Job](i, w.program()+"-migrate")
		if job == nil {
			said = append(said, fmt.Sprintf("nothing migrates the database of %s", w))
			continue
		}
		if fault := migrates(job, w); fault != "" {
			said = append(said, fmt.Sprintf("Job %s: %s", job.Name, fault))
		}
		if provision == nil || !provisions(provision, w.program()) {
			said = append(said, fmt.Sprintf("nothing makes the database of %s", w))
		}
	}
	return said
}

// migrates says what is wrong with a program's migration; empty where nothing is.
func migrates(job *batchv1.Job, w Workload) string {
	pod := job.Spec.Template.Spec
	owner := slices.IndexFunc(pod.Containers[0].Env, func(v corev1.EnvVar) bool { return v.Name == "MIGRATE_DATABASE_URL" })
	switch {
	case pod.Containers[0].Image != w.main().Image:
		return "it is of another release than " + w.String()
	case !slices.Equal(pod.Containers[0].Args, []string{"migrate"}):
		return "it does not migrate"
	case owner < 0 || pod.Containers[0].Env[owner].ValueFrom == nil || pod.Containers[0].Env[owner].ValueFrom.SecretKeyRef.Name != job.Name:
		return "MIGRATE_DATABASE_URL is not from the secret with the job's name"
	case job.Labels[stepLabel] != "migrate":
		return "a roll-out does not find it by " + stepLabel
	case job.Annotations[waveAnnotation] >= w.Wave:
		return "it does not come before " + w.String()
	case pod.RestartPolicy != corev1.RestartPolicyNever || job.Spec.BackoffLimit == nil || job.Spec.ActiveDeadlineSeconds == nil:
		return "it may be tried for ever"
	}
	return ""
}

func provisions(job *batchv1.Job, program string) bool {
	for _, key := range []string{"DATABASE_URL", "MIGRATE_DATABASE_URL"} {
		if !slices.ContainsFunc(job.Spec.Template.Spec.Containers[0].Env, func(v corev1.EnvVar) bool { return v.Name == upper(program)+"_"+key }) {
			return false
		}
	}
	return true
}
