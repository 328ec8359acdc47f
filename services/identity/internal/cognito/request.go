package cognito

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"serein.app/services/identity/internal/account"
)

// request holds the fields of all operations that are answered. Others that the API names are
// analytics, metadata for triggers and the like: they change nothing here.
type request struct {
	ClientID           string `json:"ClientId"`
	SecretHash         string
	Username           string
	Password           string
	UserAttributes     []attribute
	ConfirmationCode   string
	ForceAliasCreation bool
	AuthFlow           string
	AuthParameters     map[string]string
	AccessToken        string
	PreviousPassword   string
	ProposedPassword   string
	ClientSecret       string
	RefreshToken       string
	Token              string
}

type attribute struct{ Name, Value string }

// call is one request with what HTTP says about it.
type call struct {
	request
	operation string
	// address is the caller's network address.
	address string
	// invocation is the id that an SDK gives a call, the same when it repeats the call; empty when the caller sent no id.
	invocation string
}

// read reads a request. Errors: errMedia, errBody, account.ErrInvalidParameter.
func (h *Handler) read(w http.ResponseWriter, r *http.Request, name string) (*call, error) {
	media, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != contentType || !utf8Only(parameters) {
		return nil, errMedia
	}
	c := &call{operation: name, address: h.cfg.Address(r), invocation: r.Header.Get("Amz-Sdk-Invocation-Id")}
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	if err := decoder.Decode(&c.request); err != nil {
		return nil, errBody.Because(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errBody
	}
	return c, c.check()
}

// utf8Only: JSON is UTF-8 (RFC 8259, 8.1), whatever a parameter says.
func utf8Only(parameters map[string]string) bool {
	for name, value := range parameters {
		if name != "charset" || (value != "utf-8" && value != "UTF-8") {
			return false
		}
	}
	return true
}

// The API's own bounds, in bytes; the domain's rules are narrower where they matter.
const (
	usernameMax   = 512
	passwordMax   = 1024
	codeMax       = 2048
	attributeMax  = 2048
	invocationMax = 128
)

func (c *call) check() error {
	auth := c.AuthParameters
	for _, field := range []struct {
		name, value string
		most        int
	}{
		{"Username", c.Username, usernameMax},
		{"Password", c.Password, passwordMax},
		{"ConfirmationCode", c.ConfirmationCode, codeMax},
		{"USERNAME", auth["USERNAME"], usernameMax},
		{"PASSWORD", auth["PASSWORD"], passwordMax},
		{"PreviousPassword", c.PreviousPassword, passwordMax},
		{"ProposedPassword", c.ProposedPassword, passwordMax},
		{"amz-sdk-invocation-id", c.invocation, invocationMax},
	} {
		if len(field.value) > field.most {
			return parameter(field.name + " is too long.")
		}
	}
	if c.ForceAliasCreation {
		return parameter("ForceAliasCreation is not offered: an address stays with its account.")
	}
	return nil
}

// need refuses a call without a field.
func need(name, value string) error {
	if value == "" {
		return parameter(name + " is missing.")
	}
	return nil
}

// parameter is a fault of the request in words for its program's author.
func parameter(public string) error {
	e := account.ErrInvalidParameter.Because(fmt.Errorf("sign-up API: %s", public))
	e.Public = public
	return e
}
