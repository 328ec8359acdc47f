package paymentsandbox

import (
	"fmt"
	"net/http"
)

// apiError is an error as Stripe answers it.
type apiError struct {
	status  int
	Type    string `json:"type"`
	Code    string `json:"code,omitempty"`
	Decline string `json:"decline_code,omitempty"`
	Param   string `json:"param,omitempty"`
	Message string `json:"message"`
}

func (e *apiError) Error() string { return e.Message }

const invalidRequest = "invalid_request_error"

func invalid(param, code, message string) *apiError {
	return &apiError{status: http.StatusBadRequest, Type: invalidRequest, Code: code, Param: param, Message: message}
}

// missing is for something that the path names.
func missing(kind, id string) *apiError {
	return &apiError{
		status: http.StatusNotFound, Type: invalidRequest, Code: "resource_missing", Param: "id",
		Message: fmt.Sprintf("No such %s: '%s'", kind, id),
	}
}

// unknown is for something that a parameter names.
func unknown(param, kind, id string) *apiError {
	return invalid(param, "resource_missing", fmt.Sprintf("No such %s: '%s'", kind, id))
}

func refused(code, message string) *apiError { return invalid("", code, message) }
