package delivery

import (
	"encoding/json"
	"errors"
	"net/http"

	"serein.app/services/content/internal/delivery/query"
	"serein.app/services/platform/errs"
	"serein.app/services/platform/postgres"
)

// refusal is an answer that is none, with the contract's id.
type refusal struct {
	status      int
	id, message string
	details     any
}

func (r *refusal) Error() string { return r.id + ": " + r.message }

func notFound(details any) error {
	return &refusal{http.StatusNotFound, "NotFound", "The resource could not be found.", details}
}

func badToken() error {
	return &refusal{http.StatusUnauthorized, "AccessTokenInvalid", "The access token you sent could not be found or is invalid.", nil}
}

func tooMany() error {
	return &refusal{http.StatusTooManyRequests, "RateLimitExceeded", "You have exceeded the rate limit by making too many requests in a short time.", nil}
}

func tooBig() error {
	return &refusal{http.StatusBadRequest, query.BadRequest, "Response size too big. Maximum allowed response size: 7340032B.", nil}
}

func badRequest(message string) error {
	return &refusal{http.StatusBadRequest, query.BadRequest, message, nil}
}

func tooCostly() *refusal {
	return &refusal{http.StatusBadRequest, query.BadRequest, "The query takes too long. Please ask for less at once.", nil}
}

// invalid refuses a body whose parts have no meaning.
func invalid(faults ...query.Detail) error {
	return &refusal{http.StatusUnprocessableEntity, "ValidationFailed", "The body of the request is not valid.", map[string]any{"errors": faults}}
}

func isMissing(err error) bool { return errors.Is(err, postgres.ErrNotFound) }

// refusalOf finds the answer to an error. ours is true for an unexpected error, which is a fault of this service.
func refusalOf(err error) (r *refusal, ours bool) {
	var wrong *query.Error
	switch {
	case errors.As(err, &r):
		return r, false
	case errors.As(err, &wrong):
		r = &refusal{http.StatusBadRequest, wrong.ID, wrong.Message, nil}
		if len(wrong.Details) > 0 {
			r.details = map[string]any{"errors": wrong.Details}
		}
		return r, false
	case errors.Is(err, postgres.ErrTooLong):
		return tooCostly(), false
	case errs.KindOf(err) == errs.Unavailable:
		return &refusal{http.StatusServiceUnavailable, "ServerError", "The content cannot be read at the moment. Please try again.", nil}, true
	}
	return &refusal{http.StatusInternalServerError, "ServerError", "Something went wrong on our side. Please try again.", nil}, true
}

// fail answers with an error. Its cause stands in the log only.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	answer, ours := refusalOf(err)
	id := w.Header().Get("X-Contentful-Request-Id")
	if ours && r.Context().Err() == nil {
		h.Log.ErrorContext(r.Context(), "delivery request failed", "error", err, "request_id", id, "path", r.URL.Path)
	}
	body := map[string]any{"sys": map[string]string{"type": "Error", "id": answer.id}, "message": answer.message, "requestId": id}
	if answer.details != nil {
		body["details"] = answer.details
	}
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(answer.status)
	_ = json.NewEncoder(w).Encode(body) // who hung up does not care
}
