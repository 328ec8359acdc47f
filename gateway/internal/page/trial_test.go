package page

import (
	"testing"

	"github.com/stretchr/testify/require"

	webv1 "serein.app/proto/gen/serein/web/v1"
)

func TestAFieldThatNoAnswerHasIsFoundOnEveryWayThroughATemplate(t *testing.T) {
	t.Parallel()
	answer := filling{Page: full(&webv1.ListMeditationsResponse{})}
	for _, template := range []string{
		`{{if .All}}{{.Wrong}}{{end}}`, `{{if not .All}}{{.Wrong}}{{else}}x{{end}}`, `{{if .Meditations}}x{{else}}{{.Wrong}}{{end}}`,
		`{{if and .All .Wrong}}x{{end}}`, `{{if or .Meditations (not .Wrong)}}x{{end}}`, `{{if .All}}{{if .All}}{{.Wrong}}{{end}}{{end}}`,
		`{{range slice .Meditations 1}}{{.Wrong}}{{end}}`, `{{range .Meditations}}{{if .Verified}}{{.All}}{{end}}{{end}}`,
		`{{range .Meditations}}x{{else}}{{.Wrong}}{{end}}`, `{{with .Meditations}}{{(index . 0).Wrong}}{{end}}`, `{{with .Meditations}}x{{else}}{{.Wrong}}{{end}}`,
	} {
		require.ErrorContains(t, try("page", []byte("{{with .Page}}"+template+"{{end}}"), answer), "can't evaluate field", template)
	}
	require.ErrorContains(t, try("page", []byte(`{{with .Page}}{{if .All}}{{day .All}}{{end}}{{end}}`), answer), "wrong type")
	require.NoError(t, try("page", []byte(`{{with .Page}}{{if and .All .Meditations}}{{.All}}{{else}}{{range .Meditations}}{{.Title}}{{end}}{{end}}{{end}}`), answer))
	features := filling{Page: full(&webv1.MembershipCard{})}
	require.ErrorContains(t, try("page", []byte(`{{with .Page}}{{range .Features}}{{.Name}}{{end}}{{end}}`), features), "can't evaluate field")
}
