package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// longestError is how many bytes of an error a job keeps. A sweep joins those of all that it could not do.
const longestError = 2000

// failures tells of jobs that failed, which River itself does below the level of warnings.
type failures struct {
	log    *slog.Logger
	failed metric.Int64Counter
}

func newFailures(log *slog.Logger, meters metric.MeterProvider) (failures, error) {
	failed, err := meters.Meter("serein/jobs").Int64Counter("serein.jobs.failed", metric.WithUnit("{attempt}"),
		metric.WithDescription("Attempts at background jobs that failed (attribute `kind`), a sweep's too; the log has each. More than now "+
			"and then needs somebody"))
	return failures{log, failed}, err
}

// around bounds what a failed job keeps of its error. One that runs by a plan is done after its last attempt, whatever
// came of it: the next one comes anyway, and every few seconds a row for a week of failures is more than anybody reads.
func (f failures) around(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) error {
	if !planned(job) || job.Attempt < job.MaxAttempts {
		return bounded(work(ctx))
	}
	if err := recovered(ctx, work); err != nil {
		f.HandleError(ctx, job, err)
	}
	return nil
}

// planned says that River has queued the job by its plan.
func planned(job *rivertype.JobRow) bool {
	var metadata struct {
		Periodic bool `json:"periodic"`
	}
	return json.Unmarshal(job.Metadata, &metadata) == nil && metadata.Periodic
}

func recovered(ctx context.Context, work func(context.Context) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return work(ctx)
}

// HandleError warns of a job that is not tried again: a sweep that fails for months must be seen.
func (f failures) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	f.count(ctx, job)
	log := f.log.With("kind", job.Kind, "job_id", job.ID, "attempt", job.Attempt, "error", err)
	if job.Attempt < job.MaxAttempts {
		log.InfoContext(ctx, "job failed and is tried again")
		return nil
	}
	log.WarnContext(ctx, "job failed for good")
	return nil
}

// HandlePanic only counts the failure: River has logged the panic.
func (f failures) HandlePanic(ctx context.Context, job *rivertype.JobRow, _ any, _ string) *river.ErrorHandlerResult {
	f.count(ctx, job)
	return nil
}

func (f failures) count(ctx context.Context, job *rivertype.JobRow) {
	f.failed.Add(ctx, 1, metric.WithAttributes(attribute.String("kind", job.Kind)))
}

// shortError says the beginning of an error, and is that error.
type shortError struct{ error }

func bounded(err error) error {
	if err == nil || len(err.Error()) <= longestError {
		return err
	}
	return shortError{err}
}

func (e shortError) Error() string { return e.error.Error()[:longestError] + " …" }

func (e shortError) Unwrap() error { return e.error }
