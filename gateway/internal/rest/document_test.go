package rest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"serein.app/services/platform/errs"
)

func document(t *testing.T) *openapi3.T {
	t.Helper()
	api, err := New(Config{PublicURL: "https://serein.example", Issuer: "https://id.serein.example"})
	require.NoError(t, err)
	doc, err := openapi3.NewLoader().LoadFromData(api.files["/api/openapi.json"].body)
	require.NoError(t, err)
	return doc
}

func TestTheDocumentIsOpenAPIWithExamplesOfItsOwnShapes(t *testing.T) {
	t.Parallel()
	require.NoError(t, document(t).Validate(t.Context(), openapi3.EnableExamplesValidation()))
}

func TestEveryCallOfTheContractIsServedAndDocumented(t *testing.T) {
	t.Parallel()
	inContract := map[string]bool{}
	protoregistry.GlobalFiles.RangeFilesByPackage("serein.rest.v1", func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			service := f.Services().Get(i)
			for j := range service.Methods().Len() {
				inContract[string(service.Name())+"_"+string(service.Methods().Get(j).Name())] = true
			}
		}
		return true
	})
	require.Len(t, inContract, 16)
	documented := map[string]bool{}
	for path, item := range document(t).Paths.Map() {
		for verb, o := range item.Operations() {
			require.True(t, inContract[o.OperationID], o.OperationID)
			documented[verb+" "+path] = true
			delete(inContract, o.OperationID)
		}
	}
	require.Empty(t, inContract, "not in the document")
	for _, c := range calls {
		require.True(t, documented[c.verb+" "+c.path], c.path)
		delete(documented, c.verb+" "+c.path)
	}
	require.Empty(t, documented, "in no table: nobody could call it")
}

func TestEveryOperationSaysWhoMayCallAndHowItFails(t *testing.T) {
	t.Parallel()
	doc := document(t)
	for _, c := range calls {
		o := doc.Paths.Find(c.path).GetOperation(c.verb)
		require.Equal(t, openapi3.SecurityRequirements{{"token": {c.scope}}, {"session": {}, "ownPage": {}}}, *o.Security, c.path)
		require.NotEmpty(t, c.scope, c.path)
		require.NotEmpty(t, o.Summary, c.path)
		for _, status := range []int{400, 401, 403, 429, 500, 503, 504} {
			content := o.Responses.Status(status).Value.Content.Get("application/json")
			require.Equal(t, "#/components/schemas/Error", content.Schema.Ref)
			require.NotNil(t, content.Example)
		}
		_, later := NotBuilt[c.verb+" "+c.path]
		require.Equal(t, later, o.Responses.Status(http.StatusNotImplemented) != nil, c.path)
		require.Equal(t, later, c.answer == "", "%s: what is built has an example of its answer", c.path)
		if c.body != "" {
			require.NotNil(t, o.RequestBody.Value.Content.Get("application/json").Example, c.path)
		}
	}
}

func TestEveryKindOfErrorHasAStatus(t *testing.T) {
	t.Parallel()
	for _, kind := range errs.Kinds {
		require.NotZero(t, byKind[kind], kind)
	}
}

func TestThePageShowsEveryCallAndLoadsNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	api, err := New(Config{PublicURL: "https://serein.example", Issuer: "https://id.serein.example"})
	require.NoError(t, err)
	for _, path := range []string{"/api/", "/api/docs"} {
		w := httptest.NewRecorder()
		api.files[path].serve(w, httptest.NewRequest(http.MethodGet, path, nil))
		require.Equal(t, docsPolicy, w.Header().Get("Content-Security-Policy"))
		html := w.Body.String()
		for _, c := range calls {
			require.Contains(t, html, `id="`+anchor(c.verb, c.path)+`"`)
			require.Contains(t, html, "Scope: <code>"+c.scope+"</code>.")
		}
		require.Contains(t, html, `<a class="home" href="/">`)
		require.NotContains(t, html, "`")
		for _, never := range []string{"<script", "style=", "http://", "//cdn", "onclick"} {
			require.NotContains(t, html, never)
		}
	}
}

func TestTheREADMEHoldsTheLineOfEveryCall(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	var want strings.Builder
	for _, c := range calls {
		fmt.Fprintln(&want, c.curl())
	}
	require.Contains(t, string(readme), "```sh\n"+want.String()+"```\n", "the lines of calls.go, one a call:\n%s", want.String())
}
