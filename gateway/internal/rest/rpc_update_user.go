package rest

import (
	"context"

	"google.golang.org/protobuf/reflect/protoreflect"

	errorsv1 "serein.app/proto/gen/serein/errors/v1"
	restv1 "serein.app/proto/gen/serein/rest/v1"
	"serein.app/services/platform/errs"
)

var errOwned = errs.New(errs.Invalid, errorsv1.Reason_REASON_FIELD_NOT_WRITABLE, "This field is Serein's own. Nothing of this request was applied.")

// UpdateUser refuses the fields that the server owns, by name; changing the rest is still to come.
func (a *API) UpdateUser(_ context.Context, req *restv1.UpdateUserRequest) (*restv1.UpdateUserResponse, error) {
	if err := valid(req); err != nil {
		return nil, err
	}
	if name := owned(req); name != "" {
		return nil, errOwned.On(name)
	}
	return nil, errNotBuilt
}

// owned is the first field of the request that the server owns: those are of type Value, whatever
// is written into them.
func owned(req *restv1.UpdateUserRequest) string {
	fields := req.ProtoReflect().Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if field.Kind() == protoreflect.MessageKind && field.Message().FullName() == "google.protobuf.Value" && req.ProtoReflect().Has(field) {
			return field.JSONName()
		}
	}
	return ""
}
